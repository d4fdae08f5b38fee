import { PlusOutlined } from '@ant-design/icons';
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { fixedBlockKinds, type HomeBlockKind, maximumBlocks, ownBlockKinds } from '../../../contract/home.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { BlockRow } from './BlockRow.tsx';
import { type BlockValues, newBlock } from './blockValues.ts';

type BlockListProps = {
  /** The key of the block whose fields are shown. */
  open: string | null;
  setOpen: (key: string | null) => void;
};

/** The blocks in their order: dragged by pointer or keyboard, one at a time opened to change it. */
export function BlockList({ open, setOpen }: BlockListProps) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const present = (Form.useWatch(['blocks'], { form, preserve: true }) ?? []) as BlockValues[];
  const keys = present.map((block) => block.key);
  const place = (id: string | number) => keys.indexOf(String(id)) + 1;
  const missing = fixedBlockKinds.filter((kind) => present.every((block) => block.kind !== kind));

  return (
    <Form.List name="blocks">
      {(fields, list) => {
        function drop({ active, over }: DragEndEvent) {
          const [from, to] = [place(active.id) - 1, place(over?.id ?? active.id) - 1];
          if (from < 0 || to < 0 || from === to) return;
          list.move(from, to);
          onValuesChange();
        }
        function add(kind: HomeBlockKind) {
          const block = newBlock(kind);
          list.add(block);
          onValuesChange();
          setOpen(block.key);
        }
        return (
          <>
            <DndContext
              sensors={sensors}
              collisionDetection={closestCenter}
              onDragEnd={drop}
              accessibility={{
                screenReaderInstructions: { draggable: t('home_page_config.drag.help') },
                announcements: {
                  onDragStart: ({ active }) => t('home_page_config.drag.start', { number: place(active.id) }),
                  onDragOver: ({ active, over }) =>
                    over ? t('home_page_config.drag.over', { number: place(active.id), place: place(over.id) }) : undefined,
                  onDragEnd: ({ active, over }) => t('home_page_config.drag.end', { place: place(over?.id ?? active.id) }),
                  onDragCancel: ({ active }) => t('home_page_config.drag.cancel', { number: place(active.id) }),
                },
              }}
            >
              <SortableContext items={keys} strategy={verticalListSortingStrategy}>
                <ol className="home-editor-list">
                  {fields.map((field) => {
                    const key = present[field.name]?.key ?? String(field.key);
                    return (
                      <BlockRow
                        key={key}
                        rowKey={key}
                        index={field.name}
                        isOpen={open === key}
                        toggle={() => setOpen(open === key ? null : key)}
                        remove={() => {
                          list.remove(field.name);
                          onValuesChange();
                        }}
                      />
                    );
                  })}
                </ol>
              </SortableContext>
            </DndContext>
            <div className="home-editor-add">
              {[...ownBlockKinds, ...missing].map((kind) => (
                <Button key={kind} icon={<PlusOutlined />} disabled={fields.length >= maximumBlocks} onClick={() => add(kind)}>
                  {t(`home_page_config.kind.${kind}`)}
                </Button>
              ))}
            </div>
          </>
        );
      }}
    </Form.List>
  );
}
