import { DeleteOutlined } from '@ant-design/icons';
import { Button, Form, Input, InputNumber, Select } from 'antd';
import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxAttributes, maxValues } from '../../contract/content/mall-product-list.ts';
import { Field } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { type Cell, changeOf, copiedCells, fillIn, fillPrice, fillStock } from './filling.ts';
import { Lines } from './Lines.tsx';
import { type AttributeValues, combinations, finished, matrixOf, type VariantValues } from './matrix.ts';
import { useCurrency } from './useCurrency.ts';

/** What the product's variants differ by, and each of them with price, stock and number. */
export function Variants() {
  const { t } = useTranslation();
  const { form, initial, onValuesChange } = useFormContext();
  const present = (Form.useWatch(['variants'], { form, preserve: true }) ?? []) as VariantValues[];
  const attributes = (Form.useWatch(['attributes'], { form, preserve: true }) ?? []) as AttributeValues[];
  const all = combinations(finished(attributes)).length;
  const stored = (initial.variants ?? []) as VariantValues[];
  const change = changeOf(stored, present);
  const isStored = stored.some(({ id }) => id !== undefined);

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
        {present.length > 1 && <p className="lc-soft">{t('mall_product_list.paste_help')}</p>}
        <p className="lc-soft" role="status">
          {isStored && change.added > 0 && t('mall_product_list.variants_added', { count: change.added })}{' '}
          {isStored && change.removed > 0 && t('mall_product_list.variants_removed', { count: change.removed })}
        </p>
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
  const { form, onValuesChange } = useFormContext();
  const options: string[] = Form.useWatch(['variants', at, 'options'], { form, preserve: true }) ?? [];
  const currency = useCurrency();
  const name = options.join(' / ') || t('mall_product_list.only_variant');
  const label = (key: string) => t('mall_product_list.of_variant', { what: t(key), name });
  const path = `variants.${at}`;
  /** Cells that were copied from a spreadsheet go into this line and those below. */
  const paste = (cell: Cell) => (event: ClipboardEvent) => {
    const copied = copiedCells(event.clipboardData.getData('text/plain'));
    if (!copied) return;
    event.preventDefault();
    form.setFieldValue('variants', fillIn(form.getFieldValue('variants') as VariantValues[], at, cell, copied));
    onValuesChange();
  };
  return (
    <div className="lc-mall-variant">
      <b>{name}</b>
      <Field name={[at, 'price']} path={`${path}.price`} label={`${t('mall_product_list.price')} ${currency}`} required>
        <Input aria-label={label('mall_product_list.price')} autoComplete="off" onPaste={paste('price')} />
      </Field>
      <Field name={[at, 'stock']} path={`${path}.stock`} label="mall_product_list.stock" required>
        <InputNumber className="lc-wide" aria-label={label('mall_product_list.stock')} min={0} precision={0} onPaste={paste('stock')} />
      </Field>
      <Field name={[at, 'sku']} path={`${path}.sku`} label="mall_product_list.sku" required={false}>
        <Input aria-label={label('mall_product_list.sku')} autoComplete="off" onPaste={paste('sku')} />
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

/** One price or stock for all variants, or a change of those that they have. */
function FillAll() {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const [price, setPrice] = useState('');
  const [stock, setStock] = useState('');
  const [priced, stocked] = [fillPrice(price), fillStock(stock)];
  function fill() {
    const variants = form.getFieldValue('variants') as VariantValues[];
    const filled = variants.map((variant) => ({
      ...variant,
      price: priced ? priced(variant.price ?? '') : variant.price,
      stock: stocked ? stocked(variant.stock) : variant.stock,
    }));
    form.setFieldValue('variants', filled);
    // A change by percent is made once, and another press makes none by mistake.
    setPrice('');
    setStock('');
    onValuesChange();
  }
  return (
    <div className="lc-mall-fill">
      <Input
        aria-label={t('mall_product_list.price_of_all')}
        placeholder={t('mall_product_list.price_of_all_form')}
        value={price}
        onChange={(event) => setPrice(event.target.value)}
      />
      <Input
        aria-label={t('mall_product_list.stock_of_all')}
        placeholder={t('mall_product_list.stock_of_all_form')}
        value={stock}
        onChange={(event) => setStock(event.target.value)}
      />
      <Button disabled={(!priced && !stocked) || (price.trim() !== '' && !priced) || (stock.trim() !== '' && !stocked)} onClick={fill}>
        {t('mall_product_list.fill')}
      </Button>
    </div>
  );
}
