import { arrayMove } from '@dnd-kit/sortable';
import { Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Failure } from '../../kit/feedback.ts';
import { DragHandle, SortableList, useSortableRow } from '../../kit/list/SortableList.tsx';
import type { Grouping } from './GroupSelect.tsx';
import { GroupTag } from './GroupTag.tsx';

type Group = { id: number; name: string; color: string };

function Row({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { row, handle, isDragging } = useSortableRow(group.id);
  return (
    <li {...row} className={isDragging ? 'code-group-row code-group-dragged' : 'code-group-row'}>
      <DragHandle {...handle} label={t('group.drag', { name: group.name })} />
      <GroupTag group={group} />
    </li>
  );
}

/** The order in which groups are offered everywhere: dragged by pointer or keyboard. */
export function OrderDialog({ grouping, ownerId, onClose }: { grouping: Grouping; ownerId?: number | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const found = useCall(api[grouping].options, ownerId === undefined ? {} : { owner_id: ownerId }, { staleTime: 0 });
  const save = useAction(api[grouping].update_sort, { invalidates: ['qr_code_list'] });
  const [moved, setMoved] = useState<readonly Group[] | null>(null);
  const groups = moved ?? found.data?.content ?? [];

  async function keep() {
    if (moved === null || (await save.run({ ids: moved.map(({ id }) => id) }))) onClose();
  }
  return (
    <Modal
      open
      title={t('group.order')}
      width={420}
      onCancel={onClose}
      okText={t('common.save')}
      cancelText={t('common.cancel')}
      confirmLoading={save.isRunning}
      onOk={() => void keep()}
    >
      <p className="lc-form-intro">{t('group.order_help')}</p>
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} isRetrying={found.isFetching} />}
      {found.isPending && <Skeleton active title={false} />}
      <SortableList keys={groups.map(({ id }) => id)} move={(from, to) => setMoved(arrayMove([...groups], from, to))}>
        <ol className="code-group-order">
          {groups.map((group) => (
            <Row key={group.id} group={group} />
          ))}
        </ol>
      </SortableList>
    </Modal>
  );
}
