import { useTranslation } from 'react-i18next';
import type { ProductDetails } from '../../contract/content/mall-product-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Field, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure, shownAmount } from '../kit/feedback.ts';
import type { Values } from '../kit/form/contract.ts';
import { remoteOptions } from '../kit/options.ts';
import { RichTextField } from '../kit/rich-text/RichTextField.tsx';
import { Covers } from './Covers.tsx';
import { categorySource } from './categories.ts';
import { Lines } from './Lines.tsx';
import type { VariantValues } from './matrix.ts';
import { Variants } from './Variants.tsx';

export const brandSource = remoteOptions(
  api.mall_brand_list.inquire,
  (name) => ({ ...(name === '' ? {} : { name }), page_size: 100, sort: 'sort' as const, order: 'desc' as const }),
  ({ id, name }) => ({ value: id, label: name }),
);

const newVariant: VariantValues = { options: [], sku: '', price: '', stock: 0 };
const blank = { cover_ids: [], attributes: [], variants: [newVariant], properties: [], colors: [], details: '', enabled: true };

function valuesOf(product: ProductDetails): Values {
  const { name, category_id, brand_id, source, covers, attributes, properties, colors, details, ...rest } = product;
  const { ranking_recommend, home_recommend, sort, enabled } = rest;
  const variants = product.variants.map((variant): VariantValues => {
    return { ...variant, price: shownAmount(variant.price), stock_before: variant.stock };
  });
  const flags = { ranking_recommend, home_recommend, sort, enabled };
  const cover_ids = covers.map((cover) => cover.id);
  return { name, category_id, brand_id, source, cover_ids, attributes, variants, properties, colors, details, ...flags };
}

type Props = { id: number | 'new'; category_id?: number | undefined; onClose: () => void };

/** Makes a new product, or changes one after all of it was loaded. */
export function ProductForm({ id, category_id, onClose }: Props) {
  if (id !== 'new') return <LoadedForm id={id} onClose={onClose} />;
  return (
    <FormModal
      action={api.mall_product_list.add}
      title="mall_product_list.add"
      submit="mall_product_list.add"
      initial={{ ...blank, category_id }}
      invalidates={['mall_category_list']}
      onClose={onClose}
    >
      <ProductFields />
    </FormModal>
  );
}

function LoadedForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  // What is edited must not change under the cursor when something is bought or another user saves.
  const { data, error, refetch, isFetching } = useCall(
    api.mall_product_list.details,
    { id },
    { placeholderData: undefined, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  if (!data) {
    return (
      <Drawer open title={t('mall_product_list.edit')} size={1280} onClose={onClose} loading={!error}>
        {error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      </Drawer>
    );
  }
  return (
    <FormModal
      action={api.mall_product_list.update}
      title="mall_product_list.edit"
      submit="common.save"
      initial={valuesOf(data)}
      toInput={(values) => ({ ...values, id })}
      invalidates={['mall_category_list']}
      onClose={onClose}
    >
      <ProductFields product={data} />
    </FormModal>
  );
}

function ProductFields({ product }: { product?: ProductDetails }) {
  const known = (id: number | null | undefined, label: string | null | undefined) => (id && label ? [{ value: id, label }] : []);
  return (
    <div className="lc-mall-product">
      <div>
        <Field kind="text" name="name" label="common.field.name" />
        <Field name="cover_ids" label="mall_product_list.covers" help="mall_product_list.covers_help" required={false}>
          <Covers known={product?.covers ?? []} />
        </Field>
        <Variants />
        <Field name="details" label="mall_product_list.details" required={false}>
          <RichTextField label="mall_product_list.details" placeholder="mall_product_list.details_placeholder" height={320} />
        </Field>
      </div>
      <div>
        <Field
          kind="remote"
          name="category_id"
          label="mall_product_list.category_id"
          source={categorySource()}
          known={known(product?.category_id, product?.category_title)}
        />
        <Field
          kind="remote"
          name="brand_id"
          label="mall_product_list.brand_id"
          source={brandSource}
          known={known(product?.brand_id, product?.brand_name)}
        />
        <Field kind="text" name="source" label="mall_product_list.source" help="mall_product_list.source_help" />
        <Field kind="switch" name="enabled" label="common.shown" />
        <Field kind="switch" name="ranking_recommend" label="mall_product_list.ranking_recommend" />
        <Field kind="switch" name="home_recommend" label="mall_product_list.home_recommend" />
        <Field kind="number" name="sort" label="common.field.sort" help="common.field.sort_help" minimum={0} />
        <Lines
          name="colors"
          legend="mall_product_list.colors"
          add="mall_product_list.add_color"
          blank={{ name: '', color: '#1f6feb' }}
          maximum={30}
        >
          {(at) => (
            <>
              <Field kind="text" name={[at, 'name']} path={`colors.${at}.name`} label="common.field.name" required />
              <Field kind="color" name={[at, 'color']} path={`colors.${at}.color`} label="common.field.color" />
            </>
          )}
        </Lines>
        <Lines name="properties" legend="mall_product_list.properties" add="mall_product_list.add_property" blank={{ name: '', value: '' }}>
          {(at) => (
            <>
              <Field kind="text" name={[at, 'name']} path={`properties.${at}.name`} label="common.field.name" required />
              <Field kind="text" name={[at, 'value']} path={`properties.${at}.value`} label="mall_product_list.value" required />
            </>
          )}
        </Lines>
      </div>
    </div>
  );
}
