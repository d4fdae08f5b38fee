import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormContext } from '../kit/form/ContractForm.tsx';

type Props = {
  /** The list's field. */
  name: string;
  /** Message keys: what the lines are, and the button that adds one. */
  legend: string;
  help?: string;
  add: string;
  /** What a new line holds; there is no further one without. */
  blank: object | undefined;
  /** At least so many lines stay. */
  minimum?: number;
  maximum?: number;
  /** Called after a line went or came, for what follows from the lines. */
  onLines?: () => void;
  children: (index: number) => ReactNode;
};

/** A field of several lines, each of which has fields of its own. */
export function Lines({ name, legend, help, add, blank, minimum = 0, maximum = 50, onLines, children }: Props) {
  const { t } = useTranslation();
  const { onValuesChange } = useFormContext();
  const changed = () => {
    onValuesChange();
    onLines?.();
  };
  return (
    <fieldset className="lc-field-wide lc-mall-lines">
      <legend>{t(legend)}</legend>
      <Form.List name={name}>
        {(fields, list) => (
          <>
            {fields.map((field) => (
              <div key={field.key} className="lc-mall-line">
                {children(field.name)}
                <Tooltip title={t('common.remove')}>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    disabled={fields.length <= minimum}
                    aria-label={t('mall_product_list.remove_line', { list: t(legend), number: field.name + 1 })}
                    onClick={() => {
                      list.remove(field.name);
                      changed();
                    }}
                  />
                </Tooltip>
              </div>
            ))}
            <Button
              icon={<PlusOutlined />}
              disabled={blank === undefined || fields.length >= maximum}
              onClick={() => {
                list.add(blank);
                changed();
              }}
            >
              {t(add)}
            </Button>
          </>
        )}
      </Form.List>
      {help && <p className="lc-soft">{t(help)}</p>}
    </fieldset>
  );
}
