import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Category, maxDepth } from '../../contract/content/mall-category-list.ts';
import { api } from '../kit/calls/api.ts';
import { Field, FormModal } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import type { Option } from '../kit/options.ts';
import { categorySource, withBelow } from './categories.ts';

type Props = { row: Category; categories: readonly Category[]; known: readonly Option[]; onClose: () => void };

/** What dragging does, by fields: for keyboards, phones and long trees. */
export function MoveCategory({ row, categories, known, onClose }: Props) {
  const { t } = useTranslation();
  const siblings = categories.filter(({ superior_id }) => superior_id === row.superior_id);
  const after = siblings[siblings.findIndex(({ id }) => id === row.id) + 1];
  return (
    <FormModal
      action={api.mall_category_list.move}
      title={t('mall_category_list.move_title', { name: row.title })}
      submit="menu.button.move"
      asks
      initial={{ superior_id: row.superior_id, before_id: after?.id ?? null }}
      toInput={({ superior_id = null, before_id = null }) => ({ id: row.id, superior_id, before_id })}
      onClose={onClose}
    >
      <Places row={row} categories={categories} known={known} />
    </FormModal>
  );
}

function Places({ row, categories, known }: Omit<Props, 'onClose'>) {
  const { form } = useFormContext();
  const superior = (Form.useWatch('superior_id', form) ?? null) as number | null;
  const others = categories.filter(({ id, superior_id }) => superior_id === superior && id !== row.id);
  return (
    <>
      <Field
        kind="remote"
        name="superior_id"
        label="mall_category_list.superior"
        placeholder="mall_category_list.no_superior"
        source={categorySource(
          `superior ${row.id}`,
          (category, all) => category.level < maxDepth && !withBelow(row.id, all).has(category.id),
        )}
        known={known}
      />
      <Field
        kind="select"
        name="before_id"
        label="mall_category_list.before"
        placeholder="mall_category_list.last"
        clearable
        searchable
        options={others.map(({ id, title }) => ({ value: id, label: title }))}
      />
    </>
  );
}
