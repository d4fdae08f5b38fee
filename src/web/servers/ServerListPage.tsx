import { DownOutlined } from '@ant-design/icons';
import { App, Button, Input, Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { maxRunServers, type Server } from '../../contract/system/server-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Dropdown } from '../kit/dialogs/dialogs.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { Empty, Failure, Page } from '../kit/feedback.ts';
import type { RowAction } from '../kit/list/types.ts';
import { RunDialog, UpdateDialog, type UpdateKind } from './RunDialog.tsx';
import { ServerCard } from './ServerCard.tsx';
import { AcceptKey, RemoveServer, ServerForm } from './ServerForms.tsx';
import './servers.css';

const updateKinds = ['update_front', 'update_back', 'update_code'] as const;
const pollMilliseconds = 15_000;
/** So many are seen at a glance. */
const searchedFrom = 7;

type Open =
  | { kind: 'add' }
  | { kind: UpdateKind | 'run'; server_ids: readonly number[] }
  | { kind: 'edit' | 'accept' | 'remove'; server: Server };

function useTest(): (server: Server) => Promise<void> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const test = useAction(api.server_list.test, { success: false });
  return async ({ id, name }) => {
    const close = message.loading(t('server_list.testing', { name }), 0);
    const result = await test.run({ id });
    close();
    if (!result) return;
    if (result.error === null) void message.success(t('server_list.test_passed', { name, milliseconds: result.milliseconds }));
    else void message.error(result.error);
  };
}

/** What is done on several servers at once. */
function PageActions({ add, onOpen, ids }: { add: ReactNode; onOpen: (open: Open) => void; ids: readonly number[] }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const navigate = useNavigate();
  const acts = (['run', ...updateKinds] as const).filter((kind) => allows(`server_list.${kind}`));
  const items = acts.map((kind) => ({
    key: kind,
    label: t(`menu.button.${kind}`),
    onClick: () => onOpen({ kind, server_ids: ids.slice(0, maxRunServers) }),
  }));
  return (
    <>
      <Button onClick={() => void navigate('/system/script?view=runs')}>{t('script.all_runs')}</Button>
      {ids.length > 0 && acts.length > 0 && (
        <Dropdown menu={{ items }}>
          <Button icon={<DownOutlined />} iconPlacement="end">
            {t('server_list.on_all')}
          </Button>
        </Dropdown>
      )}
      {add}
    </>
  );
}

/** Servers over SSH: whether they answer, how they do, and what is run there. */
export function ServerListPage() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open | null>(null);
  const [search, setSearch] = useState('');
  const question = { page_size: 200, sort: 'name', order: 'asc' } as const;
  const { data, error, refetch, isFetching } = useCall(api.server_list.inquire, question, { refetchInterval: pollMilliseconds });
  const test = useTest();
  const close = () => setOpen(null);
  const add = <AddButton node="server_list.add" label="server_list.add" onClick={() => setOpen({ kind: 'add' })} />;
  const actions: RowAction<Server>[] = [
    { key: 'run', label: 'menu.button.run', node: 'server_list.run', onClick: ({ id }) => setOpen({ kind: 'run', server_ids: [id] }) },
    { key: 'test', label: 'server_list.test', node: 'server_list.update', onClick: (server) => void test(server) },
    { key: 'edit', label: 'common.edit', node: 'server_list.update', onClick: (server) => setOpen({ kind: 'edit', server }) },
    ...updateKinds.map(
      (kind): RowAction<Server> => ({
        key: kind,
        label: `menu.button.${kind}`,
        node: `server_list.${kind}`,
        onClick: ({ id }) => setOpen({ kind, server_ids: [id] }),
      }),
    ),
    {
      key: 'remove',
      label: 'common.remove',
      node: 'server_list.remove',
      danger: true,
      onClick: (server) => setOpen({ kind: 'remove', server }),
    },
  ];
  const wanted = search.trim().toLowerCase();
  const servers = (data?.content ?? []).filter(({ name, host }) => `${name} ${host}`.toLowerCase().includes(wanted));
  return (
    <Page
      title="menu.server_list"
      help={t('server_list.help')}
      actions={<PageActions add={add} onOpen={setOpen} ids={(data?.content ?? []).map(({ id }) => id)} />}
    >
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && data.content.length >= searchedFrom && (
        <Input.Search
          className="lc-server-search"
          allowClear
          value={search}
          placeholder={t('server_list.search')}
          aria-label={t('server_list.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {data?.content.length === 0 && <Empty title="server_list.empty" help="server_list.empty_help" action={add} />}
      {data && data.content.length > 0 && servers.length === 0 && <p className="lc-soft">{t('common.nothing_found')}</p>}
      <div className="lc-servers">
        {servers.map((server) => (
          <ServerCard key={server.id} server={server} actions={actions} onAccept={() => setOpen({ kind: 'accept', server })} />
        ))}
      </div>
      {open?.kind === 'run' && <RunDialog server_ids={open.server_ids} onClose={close} />}
      {(open?.kind === 'update_front' || open?.kind === 'update_back' || open?.kind === 'update_code') && (
        <UpdateDialog kind={open.kind} server_ids={open.server_ids} onClose={close} />
      )}
      {open?.kind === 'add' && <ServerForm server={undefined} onClose={close} />}
      {open?.kind === 'edit' && <ServerForm server={open.server} onClose={close} />}
      {open?.kind === 'accept' && <AcceptKey server={open.server} onClose={close} />}
      {open?.kind === 'remove' && <RemoveServer server={open.server} onClose={close} />}
    </Page>
  );
}
