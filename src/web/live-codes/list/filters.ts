import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import { domainType } from '../../../contract/enums.ts';
import type { InputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { hostOption } from '../../kit/host.ts';
import type { Filter } from '../../kit/ListPage.tsx';
import { type RemoteOptions, remoteOptions } from '../../kit/options.ts';
import { accessChoices, restrictionChoices, rotationChoices } from '../choices.ts';
import type { Grouping } from '../groups/GroupSelect.tsx';

/** The groups of a grouping, with their owners where there are several, and those codes that are in none. */
const groupsOf = (grouping: Grouping): RemoteOptions => ({
  key: `${grouping}/options`,
  async load(search, signal) {
    const { content } = await api[grouping].options({ search }, { signal });
    const hasOwners = new Set(content.map((group) => group.owner_account)).size > 1;
    const groups = content.map(({ id, name, owner_account }) => ({
      value: id,
      label: hasOwners && owner_account ? `${name} · ${owner_account}` : name,
    }));
    return search ? groups : [{ value: 0, label: 'group.none' }, ...groups];
  },
});

type FilterKey = keyof InputOf<(typeof qrCodeList)['calls']['inquire']> & string;

export const userOptions = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.account }),
);

const domainsOf = (type: keyof typeof domainType) => remoteOptions(api.domain_list.options, () => ({ type: domainType[type] }), hostOption);

export const liveCodeFilters: readonly Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'qr_code_list.filters.search_placeholder' },
  { kind: 'boolean', key: 'open', label: 'qr_code_list.columns.open', yes: 'qr_code_list.open.yes', no: 'qr_code_list.open.no' },
  { kind: 'remote', key: 'group_id', label: 'group.title_one', source: groupsOf('group') },
  { kind: 'select', key: 'rotation_mode', label: 'qr_code_list.columns.rotation_mode', options: rotationChoices },
  { kind: 'remote', key: 'entry_domain_id', label: 'qr_code_list.columns.entry', source: domainsOf('entry') },
  { kind: 'remote', key: 'landing_domain_id', label: 'qr_code_list.columns.landing', source: domainsOf('landing'), more: true },
  { kind: 'select', key: 'access_mode', label: 'qr_code_list.columns.access_mode', options: accessChoices, more: true },
  { kind: 'select', key: 'restriction_visit', label: 'qr_code_list.columns.restriction_visit', options: restrictionChoices, more: true },
  {
    kind: 'boolean',
    key: 'exhausted',
    label: 'qr_code_list.columns.remaining',
    yes: 'qr_code_list.remaining.none',
    no: 'qr_code_list.filters.exhausted_no',
    more: true,
  },
  {
    kind: 'boolean',
    key: 'expiring',
    label: 'qr_code_list.filters.expiring',
    yes: 'qr_code_list.filters.expiring_yes',
    no: 'qr_code_list.filters.expiring_no',
    more: true,
  },
  { kind: 'boolean', key: 'frozen', label: 'report_list.frozen', more: true },
  {
    kind: 'boolean',
    key: 'duplicated',
    label: 'qr_code_list.filters.duplicated',
    yes: 'qr_code_list.filters.duplicated_yes',
    no: 'qr_code_list.filters.duplicated_no',
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
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'qr_code_list.columns.expires_at', ahead: true, more: true },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'qr_code_list.columns.created_at', more: true },
];

type AllFilterKey = keyof InputOf<(typeof qrCodeList)['calls']['user_inquire']> & string;

export const allCodesFilters: readonly Filter<AllFilterKey>[] = [
  ...liveCodeFilters.filter(({ key }) => key === 'search'),
  { kind: 'remote', key: 'owner_id', label: 'qr_code_list.columns.owner', source: userOptions },
  { kind: 'remote', key: 'internal_group_id', label: 'group.internal_one', source: groupsOf('internal_code_grouping') },
  ...liveCodeFilters
    .filter(({ key }) => key !== 'search')
    // All of them stand in one row beside the list's tools.
    .map((filter) => (filter.key === 'rotation_mode' || filter.key === 'group_id' ? { ...filter, more: true } : filter)),
];
