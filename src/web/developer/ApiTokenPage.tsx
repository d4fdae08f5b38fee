import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiToken, defaultCallsPerMinute, type TokenState, tokenStates } from '../../contract/people/api-token.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { type FieldData, FormDrawer } from '../kit/dialogs/FormModal.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { ScopeField } from './ScopeField.tsx';
import { SecretDialog } from './Secret.tsx';
import { TokenExample, TokenHelp } from './TokenHelp.tsx';

const stateKinds = { active: 'success', waiting: 'warning', expired: 'neutral', revoked: 'neutral' } as const;
const stateLabel = (state: TokenState): string => `api_token.state_${state}`;
const users = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (row) => ({ value: row.id, label: row.account }),
);

const columns: Column<ApiToken>[] = [
  { key: 'name', title: 'api_token.name', sortable: true, width: 160, card: 'title' },
  { key: 'prefix', title: 'api_token.prefix', width: 110, card: 'field', render: (row) => <code>{row.prefix}…</code> },
  {
    key: 'state',
    title: 'api_token.state',
    width: 90,
    card: 'aside',
    exportValue: (row) => stateLabel(row.state),
    render: (row) => (
      <Status
        kind={stateKinds[row.state]}
        label={stateLabel(row.state)}
        {...(row.state === 'waiting' ? { help: 'api_token.waiting_help' } : {})}
      />
    ),
  },
  { key: 'nodes', title: 'api_token.nodes', width: 115, exportValue: (row) => row.nodes.join(' '), render: (row) => <Scope row={row} /> },
  {
    key: 'networks',
    title: 'api_token.networks',
    width: 140,
    exportValue: (row) => row.networks.join(' '),
    render: (row) => <Networks networks={row.networks} />,
  },
  { key: 'calls_per_minute', title: 'api_token.calls_per_minute', align: 'right', width: 110, hiddenByDefault: true },
  {
    key: 'expires_at',
    title: 'api_token.expires_at',
    sortable: true,
    width: 160,
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'api_token.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  {
    key: 'last_used_at',
    title: 'api_token.last_used_at',
    sortable: true,
    width: 225,
    card: 'field',
    render: (row) => <LastUse row={row} />,
  },
  { key: 'user_account', title: 'api_token.user', width: 130, node: 'user_list' },
  { key: 'created_at', title: 'api_token.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
];

const filters: Filter<'search' | 'state' | 'user_id'>[] = [
  { kind: 'text', key: 'search', label: 'api_token.search' },
  { kind: 'select', key: 'state', label: 'api_token.state', options: tokenStates.map((value) => ({ value, label: stateLabel(value) })) },
  { kind: 'remote', key: 'user_id', label: 'api_token.user', source: users, node: 'user_list' },
];

const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'api_token.name', help: 'api_token.name_help' },
  {
    kind: 'custom',
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
  const confirm = useConfirm();
  const revoke = useAction(api.api_token.revoke, { success: 'api_token.revoked' });
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<ApiToken | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);

  async function askRevoke(rows: readonly ApiToken[]): Promise<boolean> {
    const [first] = rows;
    if (!first) return false;
    const title =
      rows.length === 1 ? t('api_token.revoke_title', { name: first.name }) : t('api_token.revoke_many', { number: rows.length });
    const agreed = await confirm({ title, content: 'api_token.revoke_content', confirm: 'api_token.revoke', danger: true });
    return agreed && (await revoke.run({ ids: rows.map(({ id }) => id) })) !== undefined;
  }

  const revoking = { key: 'revoke', label: 'api_token.revoke', node: 'api_token.revoke', danger: true } as const;
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
          { ...revoking, visible: (row) => row.state !== 'revoked', onClick: (row) => void askRevoke([row]) },
        ]}
        batchActions={[{ ...revoking, onClick: askRevoke }]}
      />
      {isAdding && (
        <FormDrawer
          action={api.api_token.add}
          title="api_token.add"
          submit="api_token.add_submit"
          size="medium"
          success={false}
          fields={fields}
          initial={{ calls_per_minute: defaultCallsPerMinute, nodes: [] }}
          toInput={asInput}
          onDone={(made) => setToken(made.token)}
          onClose={() => setIsAdding(false)}
        />
      )}
      {edited && (
        <FormDrawer
          action={api.api_token.update}
          title={t('api_token.update_title', { name: edited.name })}
          submit="common.save"
          size="medium"
          fields={fields}
          initial={{
            name: edited.name,
            nodes: edited.nodes,
            networks: edited.networks.join('\n'),
            calls_per_minute: edited.calls_per_minute,
            expires_at: edited.expires_at,
          }}
          toInput={(values) => ({ ...asInput(values), id: edited.id })}
          onClose={() => setEdited(null)}
        />
      )}
      {token && (
        <SecretDialog title="api_token.made" warning="api_token.made_warning" secret={token} onClose={() => setToken(null)}>
          <TokenExample token={token} />
        </SecretDialog>
      )}
      {isReading && <TokenHelp onClose={() => setIsReading(false)} />}
    </>
  );
}
