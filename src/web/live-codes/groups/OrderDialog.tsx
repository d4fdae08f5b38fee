import { HolderOutlined } from '@ant-design/icons';
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Modal, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/api.ts';
import { Failure } from '../../kit/feedback.ts';
import { useAction, useCall } from '../../kit/query.ts';
import type { Grouping } from './GroupSelect.tsx';
import { GroupTag } from './GroupTag.tsx';

type Group = { id: number; name: string; color: string };

function Row({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: group.id });
  return (
    <li
      ref={setNodeRef}
      className={isDragging ? 'code-group-row code-group-dragged' : 'code-group-row'}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="lc-drag"
        {...attributes}
        {...listeners}
        aria-label={t('group.drag', { name: group.name })}
      >
        <HolderOutlined aria-hidden />
      </button>
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
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  function drop({ active, over }: DragEndEvent) {
    const place = (id: string | number | undefined) => groups.findIndex((group) => group.id === id);
    if (over && active.id !== over.id) setMoved(arrayMove([...groups], place(active.id), place(over.id)));
  }
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
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
        <SortableContext items={groups.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <ol className="code-group-order">
            {groups.map((group) => (
              <Row key={group.id} group={group} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
    </Modal>
  );
}
