import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../../contract/permissions.ts';
import type { VisitRule } from '../../../../contract/visits/visit-rule.ts';
import { api } from '../../../kit/calls/api.ts';
import { Drawer } from '../../../kit/dialogs/dialogs.tsx';
import { useEnabling, useRemoval } from '../../../kit/dialogs/removal.tsx';
import { ListTable } from '../../../kit/ListPage.tsx';
import { columnsOf } from '../../../kit/list/kinds.tsx';
import { RuleForm } from './RuleForm.tsx';
import '../digests/digests.css';

type T = (key: string) => string;

/** What a rule looks at; what was handed over to somebody else has no name any more. */
function subjectOf({ live_code_id, group_id, code_name, group_name }: VisitRule, t: T): string {
  if (live_code_id === null && group_id === null) return t('visit_rule.about_value.all');
  return code_name ?? group_name ?? t('visit_rule.gone');
}

const columns = (t: T) =>
  columnsOf(api.visit_rule.inquire, [
    { key: 'about', title: 'visit_rule.about', width: 220, card: 'title', render: (row) => subjectOf(row, t) },
    {
      key: 'direction',
      title: 'visit_rule.direction',
      width: 150,
      card: 'field',
      render: (row) => t(`visit_rule.direction_value.${row.direction}`),
    },
    { key: 'percent', title: 'visit_rule.percent', width: 140, card: 'field', render: ({ percent }) => <Percent percent={percent} /> },
    { key: 'enabled', kind: 'enabled', title: 'common.field.enabled' },
    { key: 'told_at', kind: 'time', title: 'visit_rule.told_at', width: 140, card: 'field' },
  ]);

function Percent({ percent }: { percent: number }) {
  return useTranslation().t('visit_rule.percent_value', { percent });
}

/** The user's rules that tell him when visits fall or rise against their usual. */
export function Rules({ screen, onClose }: { screen: NodeKey; onClose: () => void }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<VisitRule | 'new' | null>(null);
  const name = (row: VisitRule) => ({ name: subjectOf(row, t) });
  const enabling = useEnabling<VisitRule>(api.visit_rule.update_enabled, {
    node: screen,
    title: 'visit_rule.disable_title',
    many: 'visit_rule.disable_many',
    content: 'visit_rule.remove_content',
    name,
  });
  const removal = useRemoval<VisitRule, unknown>(api.visit_rule.remove, {
    node: screen,
    title: 'visit_rule.remove_title',
    many: 'visit_rule.remove_many',
    content: 'visit_rule.remove_content',
    name,
  });
  return (
    <Drawer open onClose={onClose} size={900} title={t('visit_rule.button')}>
      <div className="lc-digests">
        <p className="lc-soft">{t('visit_rule.intro')}</p>
        <p className="lc-soft">{t('visit_rule.told_help')}</p>
        <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
          {t('visit_rule.add')}
        </Button>
      </div>
      <ListTable
        list={api.visit_rule.inquire}
        name="visit_rule.button"
        columns={columns(t)}
        defaultSort={{ sort: 'id', order: 'desc' }}
        exportName="visit_rule.button"
        empty={{ title: 'visit_rule.empty', help: 'visit_rule.empty_help' }}
        rowActions={[{ key: 'update', label: 'common.edit', node: screen, onClick: setEdited }, enabling.row, removal.row]}
        batchActions={[...enabling.batch, removal.batch]}
      />
      {edited && <RuleForm rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />}
    </Drawer>
  );
}
