import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiToken, defaultCallsPerMinute, type TokenState, tokenStates } from '../../contract/people/api-token.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRowsAction } from '../kit/dialogs/removal.tsx';
import { Time } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { ScopeField } from './ScopeField.tsx';
import { SecretDialog } from './Secret.tsx';
import { TokenExample, TokenHelp } from './TokenHelp.tsx';

const stateKinds = { active: 'success', waiting: 'warning', expired: 'neutral', revoked: 'neutral' } as const;
const stateLabel = (state: TokenState): string => `api_token.state_${state}`;

const columns = columnsOf(api.api_token.inquire, [
  { key: 'name', kind: 'name', width: 160 },
  { key: 'prefix', width: 110, card: 'field', render: (row) => <code>{row.prefix}…</code> },
  {
    key: 'state',
    kind: 'status',
    status: (row) => ({
      kind: stateKinds[row.state],
      label: stateLabel(row.state),
      ...(row.state === 'waiting' ? { help: 'api_token.waiting_help' } : {}),
    }),
    width: 90,
  },
  { key: 'nodes', width: 115, exportValue: (row) => row.nodes.join(' '), render: (row) => <Scope row={row} /> },
  { key: 'networks', width: 140, exportValue: (row) => row.networks.join(' '), render: (row) => <Networks networks={row.networks} /> },
  { key: 'calls_per_minute', width: 110, align: 'right', hiddenByDefault: true },
  {
    key: 'expires_at',
    width: 160,
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'api_token.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  { key: 'last_used_at', width: 225, card: 'field', render: (row) => <LastUse row={row} /> },
  { key: 'user_account', title: 'common.field.user', width: 130, node: 'user_list' },
  { key: 'created_at', kind: 'time' },
]);

const filters: Filter<'search' | 'state' | 'user_id' | 'expires_from' | 'expires_to'>[] = [
  { kind: 'text', key: 'search', label: 'api_token.search' },
  { kind: 'select', key: 'state', label: 'api_token.state', options: tokenStates.map((value) => ({ value, label: stateLabel(value) })) },
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'common.field.expires_at', ahead: true },
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
];

const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'api_token.name', help: 'api_token.name_help' },
  {
    kind: 'custom',
    wide: true,
    name: 'nodes',
    label: 'api_token.nodes',
    help: 'api_token.nodes_help',
    render: ({ id, value, onChange }) => (
      <ScopeField {...(id ? { id } : {})} value={(value as string[] | undefined) ?? []} onChange={(nodes) => onChange?.(nodes)} />
    ),
  },
  {
    kind: 'textarea',
    name: 'networks',
    label: 'api_token.networks',
    help: 'api_token.networks_help',
    placeholder: '203.0.113.8\n198.51.100.0/24',
    rows: 3,
    code: true,
  },
  { kind: 'number', name: 'calls_per_minute', label: 'api_token.calls_per_minute', minimum: 1, maximum: 6000 },
  { kind: 'time', name: 'expires_at', label: 'api_token.expires_at', help: 'api_token.expires_help', placeholder: 'api_token.for_ever' },
];

const linesOf = (value: unknown): string[] =>
  String(value ?? '')
    .split(/[\s,;，；]+/)
    .filter((line) => line !== '');
const asInput = (values: Record<string, unknown>) => ({ ...values, networks: linesOf(values.networks) });

function Scope({ row }: { row: ApiToken }) {
  const { t } = useTranslation();
  const isReadOnly = row.nodes.every((node) => !node.includes('.'));
  const lost = row.nodes.length - row.held;
  return (
    <Tooltip title={lost > 0 ? t('api_token.lost', { number: lost }) : undefined}>
      <span>{isReadOnly ? t('api_token.scope_read', { number: row.held }) : t('api_token.scope', { number: row.held })}</span>
    </Tooltip>
  );
}

function Networks({ networks }: { networks: readonly string[] }) {
  const { t } = useTranslation();
  const [first] = networks;
  if (first === undefined) return <span className="lc-soft">{t('api_token.anywhere')}</span>;
  return (
    <Tooltip title={networks.join('\n')}>
      <code>{networks.length === 1 ? first : t('api_token.networks_more', { first, number: networks.length })}</code>
    </Tooltip>
  );
}

function Expiry({ row }: { row: ApiToken }) {
  const { t } = useTranslation();
  return row.expires_at ? <Time value={row.expires_at} exact /> : <span className="lc-soft">{t('api_token.for_ever')}</span>;
}

function LastUse({ row }: { row: ApiToken }) {
  const { t } = useTranslation();
  if (!row.last_used_at) return <span className="lc-soft">{t('api_token.never')}</span>;
  return (
    <>
      <Time value={row.last_used_at} /> <span className="lc-soft">{row.last_used_ip}</span>
    </>
  );
}

/** Tokens for machines: make one, limit it, end it. */
export function ApiTokenPage() {
  const { t } = useTranslation();
  const { user } = useSession();
  const revoking = useRowsAction<ApiToken, unknown>(api.api_token.revoke, {
    key: 'revoke',
    label: 'api_token.revoke',
    node: 'api_token.revoke',
    danger: true,
    title: 'api_token.revoke_title',
    many: 'api_token.revoke_many',
    content: 'api_token.revoke_content',
    name: ({ name }) => ({ name }),
    visible: (row) => row.state !== 'revoked',
  });
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<ApiToken | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);

  const addButton = <AddButton node="api_token.add" label="api_token.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.api_token"
        help={t('api_token.help')}
        list={api.api_token.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.api_token"
        actions={
          <>
            <Button onClick={() => setIsReading(true)}>{t('api_token.how')}</Button>
            {addButton}
          </>
        }
        empty={{ title: 'api_token.empty', help: 'api_token.empty_help', action: addButton }}
        rowActions={[
          {
            key: 'update',
            label: 'common.edit',
            node: 'api_token.update',
            visible: (row) => row.state !== 'revoked' && row.user_id === user?.id,
            onClick: setEdited,
          },
          revoking.row,
        ]}
        batchActions={[revoking.batch]}
      />
      {isAdding && <AddToken onMade={setToken} onClose={() => setIsAdding(false)} />}
      {edited && <EditToken token={edited} onClose={() => setEdited(null)} />}
      {token && (
        <SecretDialog title="api_token.made" warning="api_token.made_warning" secret={token} onClose={() => setToken(null)}>
          <TokenExample token={token} />
        </SecretDialog>
      )}
      {isReading && <TokenHelp onClose={() => setIsReading(false)} />}
    </>
  );
}

function AddToken({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  return (
    <FormModal
      action={api.api_token.add}
      title="api_token.add"
      submit="api_token.add_submit"
      success={false}
      fields={fields}
      initial={{ calls_per_minute: defaultCallsPerMinute, nodes: [] }}
      toInput={asInput}
      onDone={(made) => onMade(made.token)}
      onClose={onClose}
    />
  );
}

function EditToken({
  token: { id, name, nodes, networks, calls_per_minute, expires_at },
  onClose,
}: {
  token: ApiToken;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={api.api_token.update}
      title={t('api_token.update_title', { name })}
      submit="common.save"
      fields={fields}
      initial={{ name, nodes, networks: networks.join('\n'), calls_per_minute, expires_at }}
      toInput={(values) => ({ ...asInput(values), id })}
      onClose={onClose}
    />
  );
}
