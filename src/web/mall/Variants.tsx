import { DeleteOutlined } from '@ant-design/icons';
import { Button, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxAttributes, maxValues } from '../../contract/content/mall-product-list.ts';
import { Field } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { Lines } from './Lines.tsx';
import { type AttributeValues, combinations, finished, matrixOf, type VariantValues } from './matrix.ts';
import { useCurrency } from './useCurrency.ts';

/** What the product's variants differ by, and each of them with price, stock and number. */
export function Variants() {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const present = (Form.useWatch(['variants'], { form, preserve: true }) ?? []) as VariantValues[];
  const attributes = (Form.useWatch(['attributes'], { form, preserve: true }) ?? []) as AttributeValues[];
  const all = combinations(finished(attributes)).length;

  function combine() {
    const values = form.getFieldsValue(true) as { attributes?: AttributeValues[]; variants?: VariantValues[] };
    form.setFieldValue('variants', matrixOf(finished(values.attributes ?? []), values.variants ?? []));
    onValuesChange();
  }
  return (
    <>
      <Lines
        name="attributes"
        legend="mall_product_list.attributes"
        help="mall_product_list.attributes_help"
        add="mall_product_list.add_attribute"
        blank={{ name: '', values: [] }}
        maximum={maxAttributes}
        onLines={combine}
      >
        {(at) => (
          <>
            <Field kind="text" name={[at, 'name']} path={`attributes.${at}.name`} label="common.field.name" required />
            <Field name={[at, 'values']} path={`attributes.${at}.values`} label="mall_product_list.values" required>
              <Values onValues={combine} />
            </Field>
          </>
        )}
      </Lines>
      <fieldset className="lc-field-wide lc-mall-lines">
        <legend>{t('mall_product_list.variants')}</legend>
        {present.length > 1 && <FillAll />}
        <Form.List name="variants">
          {(fields, list) =>
            fields.map((field) => (
              <VariantLine
                key={field.key}
                at={field.name}
                remove={
                  fields.length > 1
                    ? () => {
                        list.remove(field.name);
                        onValuesChange();
                      }
                    : undefined
                }
              />
            ))
          }
        </Form.List>
        {present.length < all && <Button onClick={combine}>{t('mall_product_list.complete', { count: all - present.length })}</Button>}
      </fieldset>
    </>
  );
}

type ValuesProps = { id?: string; value?: string[]; onChange?: (values: string[]) => void; onBlur?: () => void; onValues: () => void };

/** Values typed one after the other; the variants follow at once. */
function Values({ value = [], onChange, onValues, ...rest }: ValuesProps) {
  const { t } = useTranslation();
  return (
    <Select
      {...rest}
      mode="tags"
      className="lc-wide"
      open={false}
      suffixIcon={null}
      maxCount={maxValues}
      tokenSeparators={[',', '，', '、', ';', '；']}
      placeholder={t('mall_product_list.values_placeholder')}
      value={value}
      onChange={(typed: string[]) => {
        onChange?.([...new Set(typed.map((each) => each.trim()).filter(Boolean))]);
        onValues();
      }}
    />
  );
}

function VariantLine({ at, remove }: { at: number; remove: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const options: string[] = Form.useWatch(['variants', at, 'options'], { form, preserve: true }) ?? [];
  const currency = useCurrency();
  const name = options.join(' / ') || t('mall_product_list.only_variant');
  const label = (key: string) => t('mall_product_list.of_variant', { what: t(key), name });
  const path = `variants.${at}`;
  return (
    <div className="lc-mall-variant">
      <b>{name}</b>
      <Field name={[at, 'price']} path={`${path}.price`} label={`${t('mall_product_list.price')} ${currency}`} required>
        <Input aria-label={label('mall_product_list.price')} autoComplete="off" />
      </Field>
      <Field name={[at, 'stock']} path={`${path}.stock`} label="mall_product_list.stock" required>
        <InputNumber className="lc-wide" aria-label={label('mall_product_list.stock')} min={0} precision={0} />
      </Field>
      <Field name={[at, 'sku']} path={`${path}.sku`} label="mall_product_list.sku" required={false}>
        <Input aria-label={label('mall_product_list.sku')} autoComplete="off" />
      </Field>
      <Button
        type="text"
        icon={<DeleteOutlined />}
        disabled={!remove}
        aria-label={t('mall_product_list.remove_variant', { name })}
        {...(remove ? { onClick: remove } : {})}
      />
    </div>
  );
}

/** One price or stock for all variants. */
function FillAll() {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const [price, setPrice] = useState('');
  const [stock, setStock] = useState('');
  const isPrice = /^\d{1,12}(\.\d{1,6})?$/.test(price.trim());
  const isStock = /^\d{1,9}$/.test(stock.trim());
  function fill() {
    const variants = form.getFieldValue('variants') as VariantValues[];
    const given = { ...(isPrice ? { price: price.trim() } : {}), ...(isStock ? { stock: Number(stock) } : {}) };
    form.setFieldValue(
      'variants',
      variants.map((variant) => ({ ...variant, ...given })),
    );
    onValuesChange();
  }
  return (
    <div className="lc-mall-fill">
      <Input
        aria-label={t('mall_product_list.price_of_all')}
        placeholder={t('mall_product_list.price_of_all')}
        value={price}
        onChange={(event) => setPrice(event.target.value)}
      />
      <Input
        aria-label={t('mall_product_list.stock_of_all')}
        placeholder={t('mall_product_list.stock_of_all')}
        value={stock}
        onChange={(event) => setStock(event.target.value)}
      />
      <Button disabled={!isPrice && !isStock} onClick={fill}>
        {t('mall_product_list.fill')}
      </Button>
    </div>
  );
}
