import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockCheck } from '../../../contract/detection/wx-shield-detection.ts';
import { api } from '../../kit/calls/api.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import type { Status } from '../../kit/feedback.ts';
import { ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';

function stateOf({ finished_at, done, total }: BlockCheck): ComponentProps<typeof Status> {
  if (finished_at === null) return { kind: 'info', label: 'wx_shield_detection.running' };
  return done < total
    ? { kind: 'neutral', label: 'wx_shield_detection.stopped' }
    : { kind: 'success', label: 'wx_shield_detection.finished' };
}

const figure = { kind: 'number', width: 90 } as const;
const columns = columnsOf(api.wx_shield_detection.checks, [
  { key: 'created_at', kind: 'time', title: 'wx_shield_detection.begun_at', width: 150, card: 'title' },
  { key: 'finished_at', kind: 'status', title: 'common.field.state', status: stateOf, width: 110 },
  { key: 'total', ...figure, title: 'wx_shield_detection.total' },
  { key: 'blocked', ...figure, title: 'domain_list.block_2' },
  { key: 'failed', ...figure, title: 'domain_list.block_4' },
  { key: 'normal', ...figure, title: 'domain_list.block_1' },
]);

/** The lists that the user had checked before. */
export function ChecksDrawer({ onChosen, onClose }: { onChosen: (check: BlockCheck) => void; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open onClose={onClose} size={760} title={t('wx_shield_detection.earlier')}>
      <ListTable
        list={api.wx_shield_detection.checks}
        columns={columns}
        name="wx_shield_detection.checks"
        empty={{ title: 'wx_shield_detection.empty', help: 'wx_shield_detection.empty_help', picture: 'find' }}
        onRowClick={onChosen}
        rowActions={[{ key: 'show', label: 'common.view', onClick: onChosen }]}
      />
    </Drawer>
  );
}
