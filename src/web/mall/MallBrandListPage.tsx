import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Brand, letterOf, letters } from '../../contract/content/mall-brand-list.ts';
import { api } from '../kit/calls/api.ts';
import { type CrudField, useCrud } from '../kit/crud/useCrud.tsx';
import type { ControlProps } from '../kit/form/controls.tsx';
import { knownPicture } from '../kit/form/UploadControl.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';

const calls = api.mall_brand_list;
const nameOf = ({ name }: Brand) => name;
const letterOptions = letters.map((letter) => ({ value: letter, label: letter }));

const filters: Filter<'name' | 'letter' | 'enabled'>[] = [
  { kind: 'text', key: 'name', label: 'common.field.name' },
  { kind: 'select', key: 'letter', label: 'mall_brand_list.letter', options: letterOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.shown', no: 'content.hidden' },
];

/** Proposes the letter that the typed name begins with: the server takes it where no other one is chosen. */
function LetterSelect(control: ControlProps) {
  const { t } = useTranslation();
  const name: string = Form.useWatch('name') ?? '';
  const proposed = name.trim() === '' ? t('common.choose') : letterOf(name);
  return <Select {...control} options={letterOptions} placeholder={proposed} showSearch />;
}

const fields = (row?: Brand): CrudField[] => [
  { kind: 'text', name: 'name' },
  { kind: 'custom', name: 'letter', help: 'mall_brand_list.letter_help', render: (control) => <LetterSelect {...control} /> },
  { kind: 'picture', name: 'logo_id', label: 'mall_brand_list.logo', known: knownPicture(row?.logo_id, row?.logo_url), removable: true },
  { kind: 'number', name: 'sort', help: 'common.field.sort_help', minimum: 0 },
  { kind: 'switch', name: 'enabled', label: 'common.shown' },
];

/** The brands of the mall: add, change, rank, show or hide, remove. */
export function MallBrandListPage() {
  const { list, dialogs, saveRank } = useCrud<Brand>(calls, {
    fields,
    initialOf: (row) =>
      row ? { name: row.name, letter: row.letter, logo_id: row.logo_id, sort: row.sort, enabled: row.enabled } : { enabled: true },
    name: nameOf,
  });
  const columns = columnsOf(calls.inquire, [
    { key: 'name', kind: 'name' },
    { key: 'logo_url', kind: 'picture', title: 'mall_brand_list.logo' },
    { key: 'letter', width: 110, card: 'field' },
    { key: 'sort', kind: 'rank', node: 'mall_brand_list.update', name: nameOf, save: saveRank },
    { key: 'enabled', kind: 'enabled', yes: 'common.shown', no: 'content.hidden' },
    { key: 'created_at', kind: 'time', card: 'field' },
    { key: 'updated_at', kind: 'time', hiddenByDefault: true },
  ]);
  return (
    <>
      <ListPage list={calls.inquire} columns={columns} filters={filters} defaultSort={{ sort: 'sort', order: 'desc' }} {...list} />
      {dialogs}
    </>
  );
}
