// not messages: besides keys only codes that are the same in every language.
import { languageNames, languages, showStatus } from '../../../contract/enums.ts';
import type { FieldData } from '../../kit/dialogs/FormModal.tsx';

const shared: FieldData[] = [
  { kind: 'text', name: 'title', label: 'language_list.name', help: 'language_list.name_help' },
  { kind: 'text', name: 'icon', label: 'language_list.icon', help: 'language_list.icon_help' },
  { kind: 'text', name: 'abbreviation', label: 'language_list.abbreviation', help: 'language_list.abbreviation_help' },
  { kind: 'text', name: 'country', label: 'language_list.country', help: 'language_list.country_help', placeholder: 'KR' },
  { kind: 'text', name: 'phone_area_code', label: 'language_list.phone_area_code', placeholder: '+82' },
  { kind: 'number', name: 'sort', label: 'language_list.sort', help: 'language_list.sort_help', minimum: 0 },
  {
    kind: 'radio',
    name: 'show_status',
    label: 'language_list.show_status',
    options: [
      { value: showStatus.shown, label: 'language_list.shown' },
      { value: showStatus.hidden, label: 'language_list.hidden' },
    ],
  },
];

export const editFields = shared;
export const addFields: FieldData[] = [
  { kind: 'text', name: 'code', label: 'language_list.code', help: 'language_list.code_help', placeholder: 'ko-KR' },
  {
    kind: 'select',
    name: 'base',
    label: 'language_list.base',
    help: 'language_list.base_help',
    options: languages.map((value) => ({ value, label: languageNames[value] })),
  },
  ...shared,
];
