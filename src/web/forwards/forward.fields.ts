import { type Forward, forwardStatuses } from '../../contract/links/forward.ts';
import { api } from '../kit/calls/api.ts';
import type { FieldData } from '../kit/dialogs/FormModal.tsx';
import { hostOption } from '../kit/host.ts';
import { type Option, remoteOptions } from '../kit/options.ts';

export const domainOptions = remoteOptions(api.forward.domains, (search) => ({ search }), hostOption);

const statusOptions: Option[] = forwardStatuses.map((status) => ({ value: status, label: `forward.status_${status}` }));

/** The dialog's fields; the domain of a rule that is there stays. */
export function forwardFields(edited?: Forward): FieldData[] {
  const domain: FieldData[] = edited
    ? []
    : [{ kind: 'remote', name: 'domain_id', label: 'forward.host', source: domainOptions, required: true }];
  return [
    ...domain,
    { kind: 'text', name: 'path', label: 'forward.path', help: 'forward.path_help', placeholder: '/docs/*', code: true },
    { kind: 'text', name: 'url', label: 'forward.url', help: 'forward.url_help', placeholder: 'https://example.com/{rest}', code: true },
    { kind: 'select', name: 'status', label: 'forward.status', options: statusOptions },
    { kind: 'switch', name: 'keep_query', label: 'forward.keep_query', help: 'forward.keep_query_help' },
    { kind: 'number', name: 'sort', label: 'forward.sort', help: 'forward.sort_help', minimum: 0, required: false },
    { kind: 'text', name: 'remark', label: 'forward.remark' },
  ];
}
