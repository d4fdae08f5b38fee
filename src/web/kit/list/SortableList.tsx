import { HolderOutlined } from '@ant-design/icons';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';

type Key = string | number;

type Props = {
  /** Of the rows in their order; the same list as long as it holds the same spares drawing every row anew. */
  keys: Key[];
  /** Takes the row at one index to another; never called for a row that stays. */
  move: (from: number, to: number) => void;
  children: ReactNode;
};

/** Rows that are put in order by pointer or keyboard; screen readers hear where a row is. */
export function SortableList({ keys, move, children }: Props) {
  const { t } = useTranslation();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (key: Key) => keys.indexOf(key) + 1;
  // A lifted row is at once "over" its own place, which would drown that it was lifted.
  const told = useRef(0);
  function tellPlace({ active, over }: Pick<DragOverEvent, 'active' | 'over'>) {
    const at = over ? place(over.id) : told.current;
    if (at === told.current) return undefined;
    told.current = at;
    return t('common.drag.over', { number: place(active.id), place: at });
  }
  function drop({ active, over }: DragEndEvent) {
    const [from, to] = [keys.indexOf(active.id), keys.indexOf(over?.id ?? active.id)];
    if (from >= 0 && to >= 0 && from !== to) move(from, to);
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: t('common.drag.help') },
        announcements: {
          onDragStart: ({ active }) => {
            told.current = place(active.id);
            return t('common.drag.start', { number: told.current });
          },
          onDragOver: tellPlace,
          onDragEnd: ({ active, over }) => t('common.drag.end', { number: place(active.id), place: place(over?.id ?? active.id) }),
          onDragCancel: ({ active }) => t('common.drag.cancel', { number: place(active.id) }),
        },
      }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** What a row of a sortable list is given: `row` for its element, `handle` for its `<DragHandle>`. */
export function useSortableRow(key: Key) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: key });
  return {
    isDragging,
    row: { ref: setNodeRef, style: { transform: CSS.Translate.toString(transform), transition } },
    handle: { ref: setActivatorNodeRef, ...attributes, ...listeners },
  };
}

/** What a row is dragged by; `label` says which row it moves. */
export const DragHandle = ({ label, ...handle }: { label: string } & ComponentProps<'button'>) => (
  <button type="button" {...handle} className="lc-drag" aria-label={label}>
    <HolderOutlined aria-hidden />
  </button>
);
