import { HistoryOutlined, SyncOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domains/domain-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { hostLabel, hostName } from '../kit/host.ts';
import { ListPage } from '../kit/ListPage.tsx';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';
import { AddDomains } from './AddDomains.tsx';
import { DomainDrawer } from './DomainDrawer.tsx';
import { domainColumns, domainFilters } from './domains.columns.tsx';
import { domainFields } from './domains.fields.ts';
import { ReplaceDomain } from './ReplaceDomain.tsx';
import { ReplacementsDrawer } from './ReplacementsDrawer.tsx';

const watchedMilliseconds = 20_000;
const watchSeconds = 2;

/** Looks more often for a while after something was asked for whose result comes by itself. */
function useWatch(): { pollSeconds: number; watch: () => void } {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), watchedMilliseconds);
    return () => clearTimeout(timer);
  }, [since]);
  return { pollSeconds: since === null ? 0 : watchSeconds, watch: () => setSince(Date.now()) };
}

/** "Check now": a few are watched in the list, many have an operation of their own. */
function useCheck(watch: () => void) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [operation, setOperation] = useState<number | null>(null);
  const check = useAction(api.domain_list.check, { success: false });
  async function run(ids?: number[]): Promise<boolean> {
    const done = await check.run(ids ? { ids } : {});
    if (!done) return false;
    if (done.operation_id === null) {
      void message.info(t('domain_list.checking', { number: done.affected }));
      watch();
    } else setOperation(done.operation_id);
    return true;
  }
  const dialog = operation !== null && (
    <OperationDialog
      id={operation}
      onClose={() => {
        setOperation(null);
        watch();
      }}
    />
  );
  return { run, dialog, isRunning: check.isRunning };
}

/** Without an address that domains must point to, nothing can be said of where they do. */
function SiteAddressNotice() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const site = useCall(api.domain_list.site_addresses, {});
  if (!site.data || site.data.configured || !allows('configuration.update')) return null;
  const { addresses } = site.data;
  const text = addresses.length > 0 ? t('domain_list.site_guessed', { addresses: addresses.join(', ') }) : t('domain_list.site_unknown');
  return (
    <>
      {text} <a href="#/system/configuration">{t('domain_list.site_set')}</a>
    </>
  );
}

/** The domains a user holds (administrators see all): add, check, replace, switch on and off, remove. */
export function DomainsPage() {
  const { t } = useTranslation();
  const { user, allows } = useSession();
  const confirm = useConfirm();
  const [isAdding, setIsAdding] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const [edited, setEdited] = useState<Domain | null>(null);
  const [opened, setOpened] = useState<Domain | null>(null);
  const [replaced, setReplaced] = useState<Domain | null>(null);
  const { pollSeconds, watch } = useWatch();
  const check = useCheck(watch);
  const enable = useAction(api.domain_list.update_enabled);
  const removal = useRemoval<Domain, unknown>(api.domain_list.remove, {
    node: 'domain_list.remove',
    title: 'domain_list.remove_title',
    many: 'domain_list.remove_many_title',
    content: 'domain_list.remove_content',
    name: (row) => ({ host: hostLabel(row) }),
  });
  const ids = (rows: readonly Domain[]) => rows.map((row) => row.id);

  async function setEnabled(rows: readonly Domain[], enabled: boolean) {
    if (!enabled) {
      const [first] = rows;
      const title =
        rows.length === 1 && first
          ? t('domain_list.disable_title', { host: hostLabel(first) })
          : t('domain_list.disable_many_title', { number: rows.length });
      if (!(await confirm({ title, content: 'domain_list.disable_content', confirm: 'common.disable', danger: true }))) return false;
    }
    return (await enable.run({ ids: ids(rows), enabled })) !== undefined;
  }

  const addButton = <AddButton node="domain_list.add" label="domain_list.add" onClick={() => setIsAdding(true)} />;
  const actions = (
    <>
      <Button icon={<HistoryOutlined />} onClick={() => setIsHistoryOpen(true)}>
        {t('domain_list.replacements')}
      </Button>
      <Allowed node="domain_list.check">
        <Button icon={<SyncOutlined spin={check.isRunning} />} onClick={() => void check.run()}>
          {t('domain_list.check_all')}
        </Button>
      </Allowed>
      {addButton}
    </>
  );
  return (
    <>
      <ListPage
        title="domain_list.title"
        help={allows('configuration.update') ? <SiteAddressNotice /> : undefined}
        list={api.domain_list.inquire}
        columns={domainColumns}
        filters={domainFilters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="domain_list.title"
        actions={actions}
        {...(pollSeconds > 0 ? { pollSeconds } : {})}
        empty={{ title: 'domain_list.empty', help: 'domain_list.empty_help', action: addButton }}
        onRowClick={setOpened}
        rowActions={[
          { key: 'details', label: 'domain_list.details', onClick: setOpened },
          { key: 'update', label: 'common.edit', node: 'domain_list.update', onClick: setEdited },
          { key: 'check', label: 'domain_list.check', node: 'domain_list.check', onClick: (row) => void check.run([row.id]) },
          {
            key: 'replace',
            label: 'domain_list.replace.action',
            node: 'domain_list.replace',
            onClick: setReplaced,
          },
          {
            key: 'open',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'domain_list.open',
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          removal.row,
        ]}
        batchActions={[
          { key: 'check', label: 'domain_list.check', node: 'domain_list.check', onClick: (rows) => check.run(ids(rows)) },
          { key: 'enable', label: 'common.enable', node: 'domain_list.open', onClick: (rows) => setEnabled(rows, true) },
          { key: 'disable', label: 'common.disable', node: 'domain_list.open', onClick: (rows) => setEnabled(rows, false) },
          removal.batch,
        ]}
      />
      {isAdding && <AddDomains onAdded={watch} onClose={() => setIsAdding(false)} />}
      {edited && (
        <FormModal
          action={api.domain_list.update}
          title="domain_list.update"
          submit="domain_list.save"
          initial={{ host: edited.host, type: edited.type, holder_id: edited.holder_id, remark: edited.remark }}
          toInput={(values) => ({ ...values, id: edited.id })}
          fields={domainFields(user, edited)}
          onDone={watch}
          onClose={() => setEdited(null)}
        />
      )}
      {opened && (
        <DomainDrawer
          id={opened.id}
          host={hostName(opened)}
          pollSeconds={pollSeconds}
          onCheck={() => void check.run([opened.id])}
          onReplace={setReplaced}
          onClose={() => setOpened(null)}
        />
      )}
      {replaced && (
        <ReplaceDomain
          domain={replaced}
          onClose={() => {
            setReplaced(null);
            watch();
          }}
        />
      )}
      {isHistoryOpen && <ReplacementsDrawer onClose={() => setIsHistoryOpen(false)} />}
      {check.dialog}
    </>
  );
}
