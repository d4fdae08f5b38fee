import { HistoryOutlined, SyncOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domains/domain-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useEnabling, useRemoval } from '../kit/dialogs/removal.tsx';
import { useFreezing } from '../kit/freezing/useFreezing.tsx';
import { hostLabel, hostName } from '../kit/host.ts';
import { ListPage } from '../kit/ListPage.tsx';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';
import { useAskedAct } from '../kit/useAskedAct.ts';
import { useWatch } from '../kit/useWatch.ts';
import { AddDomains } from './AddDomains.tsx';
import { DomainDrawer } from './DomainDrawer.tsx';
import { domainColumns, domainFilters } from './domains.columns.tsx';
import { domainFields } from './domains.fields.ts';
import { ReplaceDomain } from './ReplaceDomain.tsx';
import { ReplacementsDrawer } from './ReplacementsDrawer.tsx';

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

type Dialog = { kind: 'add' | 'history' } | { kind: 'update' | 'replace'; domain: Domain };

function DomainDialogs({ dialog, watch, onClose }: { dialog: Dialog | null; watch: () => void; onClose: () => void }) {
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddDomains onAdded={watch} onClose={onClose} />;
    case 'history':
      return <ReplacementsDrawer onClose={onClose} />;
    case 'update':
      return <UpdateDomain domain={dialog.domain} onDone={watch} onClose={onClose} />;
    case 'replace': {
      const close = () => {
        onClose();
        watch();
      };
      return <ReplaceDomain domain={dialog.domain} onClose={close} />;
    }
  }
}

function UpdateDomain({ domain, onDone, onClose }: { domain: Domain; onDone: () => void; onClose: () => void }) {
  const { user } = useSession();
  const { id, host, type, holder_id, remark, registration_typed } = domain;
  return (
    <FormModal
      action={api.domain_list.update}
      title="domain_list.update"
      submit="domain_list.save"
      initial={{ host, type, holder_id, remark, registration_typed }}
      toInput={(values) => ({ ...values, id })}
      fields={domainFields(user, domain)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** The replacement of a domain of which only the id is known: the start page leads to it. */
function AskedReplacement({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useCall(api.domain_list.details, { id }, { enabled: Number.isSafeInteger(id) && id > 0 });
  return data?.id === id && <ReplaceDomain domain={data} onClose={onClose} />;
}

/** The domains a user holds (administrators see all): add, check, replace, switch on and off, remove. */
export function DomainListPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [opened, setOpened] = useState<{ id: number; host: string } | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  useAskedAct('details', (id) => setOpened({ id, host: t('common.field.host') }), true);
  const open = (row: Domain) => setOpened({ id: row.id, host: hostName(row) });
  useAskedAct('replace', setAsked, allows('domain_list.replace'));
  const about = (kind: 'update' | 'replace') => (domain: Domain) => setDialog({ kind, domain });
  const { pollSeconds, watch } = useWatch();
  const check = useCheck(watch);
  const enabling = useEnabling<Domain>(api.domain_list.update_enabled, {
    node: 'domain_list.open',
    title: 'domain_list.disable_title',
    many: 'domain_list.disable_many_title',
    content: 'domain_list.disable_content',
    name: (row) => ({ host: hostLabel(row) }),
  });
  const removal = useRemoval<Domain, unknown>(api.domain_list.remove, {
    node: 'domain_list.remove',
    title: 'domain_list.remove_title',
    many: 'domain_list.remove_many_title',
    content: 'domain_list.remove_content',
    name: (row) => ({ host: hostLabel(row) }),
  });

  const freezing = useFreezing<Domain>('domain', {
    name: ({ id, host = `#${id}`, host_unicode = null }) => hostLabel({ host, host_unicode }),
    isFrozen: ({ frozen_at }) => frozen_at !== null,
  });

  const addButton = <AddButton node="domain_list.add" label="domain_list.add" onClick={() => setDialog({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title="menu.domain_list"
        help={allows('configuration.update') ? <SiteAddressNotice /> : undefined}
        list={api.domain_list.inquire}
        columns={domainColumns}
        filters={domainFilters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.domain_list"
        actions={
          <>
            <DomainTools check={check} showHistory={() => setDialog({ kind: 'history' })} />
            {addButton}
          </>
        }
        {...(pollSeconds > 0 ? { pollSeconds } : {})}
        empty={{ picture: 'domains', title: 'domain_list.empty', help: 'domain_list.empty_help', action: addButton }}
        onRowClick={open}
        rowActions={[
          { key: 'details', label: 'common.details', onClick: open },
          { key: 'update', label: 'common.edit', node: 'domain_list.update', onClick: about('update') },
          { key: 'check', label: 'domain_list.check', node: 'domain_list.check', onClick: (row) => void check.run([row.id]) },
          { key: 'replace', label: 'menu.button.replace', node: 'domain_list.replace', onClick: about('replace') },
          enabling.row,
          ...freezing.row,
          removal.row,
        ]}
        batchActions={[
          { key: 'check', label: 'domain_list.check', node: 'domain_list.check', onClick: (rows) => check.run(rows.map(({ id }) => id)) },
          ...enabling.batch,
          ...freezing.batch,
          removal.batch,
        ]}
      />
      {opened && (
        <DomainDrawer
          id={opened.id}
          host={opened.host}
          pollSeconds={pollSeconds}
          onCheck={() => void check.run([opened.id])}
          onReplace={about('replace')}
          onClose={() => setOpened(null)}
        />
      )}
      {asked !== null && (
        <AskedReplacement
          id={asked}
          onClose={() => {
            setAsked(null);
            watch();
          }}
        />
      )}
      <DomainDialogs dialog={dialog} watch={watch} onClose={() => setDialog(null)} />
      {check.dialog}
      {freezing.dialog}
    </>
  );
}

type DomainToolsProps = { check: ReturnType<typeof useCheck>; showHistory: () => void };

/** What is done about all domains at once, above their list. */
function DomainTools({ check, showHistory }: DomainToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button icon={<HistoryOutlined />} onClick={showHistory}>
        {t('domain_list.replacements')}
      </Button>
      <Allowed node="domain_list.check">
        <Button icon={<SyncOutlined spin={check.isRunning} />} onClick={() => void check.run()}>
          {t('domain_list.check_all')}
        </Button>
      </Allowed>
    </>
  );
}
