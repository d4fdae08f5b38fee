import { api } from '../kit/calls/api.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import type { Values } from '../kit/form/contract.ts';
import { categorySource } from './categories.ts';
import { brandSource } from './ProductForm.tsx';

const flag = [
  { value: true, label: 'common.yes' },
  { value: false, label: 'common.no' },
];

/** Gives several products a category, a brand or recommendations; what is left empty stays as it is. */
export function BatchProducts({ ids, onClose, onDone }: { ids: readonly number[]; onClose: () => void; onDone: () => void }) {
  const changes = ({ category_id, brand_id, ranking_recommend, home_recommend }: Values) =>
    Object.fromEntries(
      Object.entries({ category_id, brand_id, ranking_recommend, home_recommend }).filter(
        ([, value]) => value !== undefined && value !== '',
      ),
    );
  return (
    <FormModal
      action={api.mall_product_list.batch_update}
      title="menu.button.batch"
      submit="common.save"
      intro={null}
      toInput={(values) => ({ ids: [...ids], changes: changes(values) })}
      fieldOf={{ 'changes.category_id': 'category_id', 'changes.brand_id': 'brand_id' }}
      invalidates={['mall_category_list']}
      fields={[
        {
          kind: 'remote',
          name: 'category_id',
          label: 'mall_product_list.category_id',
          source: categorySource(),
          placeholder: 'mall_product_list.unchanged',
        },
        {
          kind: 'remote',
          name: 'brand_id',
          label: 'mall_product_list.brand_id',
          source: brandSource,
          placeholder: 'mall_product_list.unchanged',
        },
        {
          kind: 'select',
          name: 'ranking_recommend',
          label: 'mall_product_list.ranking_recommend',
          options: flag,
          clearable: true,
          placeholder: 'mall_product_list.unchanged',
        },
        {
          kind: 'select',
          name: 'home_recommend',
          label: 'mall_product_list.home_recommend',
          options: flag,
          clearable: true,
          placeholder: 'mall_product_list.unchanged',
        },
      ]}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
