import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Category, maxDepth } from '../../contract/content/mall-category-list.ts';
import { showStatus } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { Field, FormModal } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { knownPicture } from '../kit/form/UploadControl.tsx';
import type { Option } from '../kit/options.ts';
import { useSite } from '../kit/site.tsx';
import { categorySource, withBelow } from './categories.ts';
import { Lines } from './Lines.tsx';

/** The choice of a superior for a category that is there, or for a new one: neither itself nor what lies below it. */
const superiorSource = (row: Category | undefined) =>
  categorySource(
    `superior ${row?.id ?? ''}`,
    (category, all) => category.level < maxDepth && !(row && withBelow(row.id, all).has(category.id)),
  );

type Props = {
  row?: Category;
  /** Of a new category. */
  superior_id?: number | null;
  /** What the superior is called. */
  known: readonly Option[];
  onAdded?: (id: number) => void;
  onClose: () => void;
};

/** Makes or changes a category: where it is, its icon, and what it is called in each language. */
export function CategoryForm({ row, superior_id = null, known, onAdded, onClose }: Props) {
  const { i18n } = useTranslation();
  const { titles, icon_id, show_status } = row ?? {
    titles: [{ language: i18n.language, title: '' }],
    icon_id: null,
    show_status: showStatus.shown,
  };
  const initial = { superior_id: row ? row.superior_id : superior_id, titles, icon_id, show_status };
  const common = { initial, invalidates: ['mall_product_list'] as const, onClose };
  const children = (
    <>
      <Field
        kind="remote"
        name="superior_id"
        label="mall_category_list.superior"
        placeholder="mall_category_list.no_superior"
        source={superiorSource(row)}
        known={known}
      />
      <Field
        kind="radio"
        name="show_status"
        label="common.field.enabled"
        options={[
          { value: showStatus.shown, label: 'common.shown' },
          { value: showStatus.hidden, label: 'common.hidden' },
        ]}
      />
      <Field kind="picture" name="icon_id" label="common.field.icon" known={knownPicture(row?.icon_id, row?.icon_url)} removable />
      <Titles />
    </>
  );
  return row ? (
    <FormModal
      action={api.mall_category_list.update}
      title="mall_category_list.edit"
      submit="common.save"
      toInput={(values) => ({ ...values, id: row.id })}
      {...common}
    >
      {children}
    </FormModal>
  ) : (
    <FormModal
      action={api.mall_category_list.add}
      title="mall_category_list.add"
      submit="mall_category_list.add"
      onDone={({ id }) => onAdded?.(id)}
      {...common}
    >
      {children}
    </FormModal>
  );
}

/** A title for each language; the first one stands where there is none. */
function Titles() {
  const { languages } = useSite();
  const { form } = useFormContext();
  const present = (Form.useWatch(['titles'], { form, preserve: true }) ?? []) as { language: string }[];
  const used = new Set(present.map(({ language }) => language));
  const next = languages.find(({ code }) => !used.has(code));
  // A language that is no longer offered keeps its title.
  const codes = new Map<string, string>(present.map(({ language }) => [language, language]));
  for (const { code, title } of languages) codes.set(code, title);
  const optionsOf = (own: string | undefined) =>
    [...codes].filter(([code]) => code === own || !used.has(code)).map(([value, label]) => ({ value, label }));
  return (
    <Lines
      name="titles"
      legend="mall_category_list.titles"
      help="mall_category_list.titles_help"
      add="mall_category_list.add_language"
      blank={next && { language: next.code, title: '' }}
      minimum={1}
    >
      {(at) => (
        <>
          <Field
            kind="select"
            name={[at, 'language']}
            path={`titles.${at}.language`}
            label="common.language"
            options={optionsOf(present[at]?.language)}
          />
          <Field kind="text" name={[at, 'title']} path={`titles.${at}.title`} label="common.field.title" required />
        </>
      )}
    </Lines>
  );
}
