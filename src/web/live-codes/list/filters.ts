import { domainType } from '../../../contract/enums.ts';
import type { InputOf } from '../../../contract/kit/call.ts';
import type { qrCodeList } from '../../../contract/qr-code-list.ts';
import { api } from '../../kit/api.ts';
import type { Filter } from '../../kit/ListPage.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { accessChoices, restrictionChoices, rotationChoices } from '../choices.ts';

type FilterKey = keyof InputOf<(typeof qrCodeList)['calls']['inquire']> & string;

const domainsOf = (type: keyof typeof domainType) =>
  remoteOptions(
    api.domain_list.options,
    () => ({ type: domainType[type] }),
    (domain) => ({ value: domain.id, label: domain.host }),
  );

export const liveCodeFilters: readonly Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'qr_code_list.filters.search', placeholder: 'qr_code_list.filters.search_placeholder' },
  { kind: 'boolean', key: 'open', label: 'qr_code_list.columns.open', yes: 'qr_code_list.open.yes', no: 'qr_code_list.open.no' },
  { kind: 'select', key: 'rotation_mode', label: 'qr_code_list.columns.rotation_mode', options: rotationChoices },
  { kind: 'remote', key: 'entry_domain_id', label: 'qr_code_list.columns.entry', source: domainsOf('entry') },
  { kind: 'remote', key: 'landing_domain_id', label: 'qr_code_list.columns.landing', source: domainsOf('landing'), more: true },
  { kind: 'select', key: 'access_mode', label: 'qr_code_list.columns.access_mode', options: accessChoices, more: true },
  { kind: 'select', key: 'restriction_visit', label: 'qr_code_list.columns.restriction_visit', options: restrictionChoices, more: true },
  {
    kind: 'boolean',
    key: 'exhausted',
    label: 'qr_code_list.filters.exhausted',
    yes: 'qr_code_list.filters.exhausted_yes',
    no: 'qr_code_list.filters.exhausted_no',
    more: true,
  },
  {
    kind: 'boolean',
    key: 'open_log',
    label: 'qr_code_list.columns.open_log',
    yes: 'qr_code_list.log.yes',
    no: 'qr_code_list.log.no',
    more: true,
  },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'qr_code_list.columns.created_at', more: true },
];
