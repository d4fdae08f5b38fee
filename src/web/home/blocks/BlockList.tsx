import { PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { type HomeBlockKind, homeBlockKinds, maxBlocks } from '../../../contract/content/home-page-config.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { SortableList } from '../../kit/list/SortableList.tsx';
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
  const present = (Form.useWatch(['blocks'], { form, preserve: true }) ?? []) as BlockValues[];
  const keys = present.map((block) => block.key);

  return (
    <Form.List name="blocks">
      {(fields, list) => {
        function move(from: number, to: number) {
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
            <SortableList keys={keys} move={move}>
              <ol className="lc-home-editor-list">
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
            </SortableList>
            <div className="lc-home-editor-add">
              {homeBlockKinds.map((kind) => (
                <Button key={kind} icon={<PlusOutlined />} disabled={fields.length >= maxBlocks} onClick={() => add(kind)}>
                  {t(`home.block_kind.${kind}`)}
                </Button>
              ))}
            </div>
          </>
        );
      }}
    </Form.List>
  );
}
