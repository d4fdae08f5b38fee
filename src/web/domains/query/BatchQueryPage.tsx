import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FoundLine, maxQueried } from '../../../contract/codes/batch-query.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { ContractForm, Field, FormModal, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { DomainRiskField } from '../../kit/domainChoice.tsx';
import { BlockStatus, blockLabel } from '../../kit/domainStates.tsx';
import { doneWords } from '../../kit/feedback/doneWords.ts';
import { Copyable, Empty, Host, Page, Status, type StatusKind } from '../../kit/feedback.ts';
import { hostOption } from '../../kit/host.ts';
import { type BatchAction, ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import '../domains.css';

const kindKinds: Record<FoundLine['kind'], StatusKind> = {
  code: 'success',
  short: 'success',
  domain: 'info',
  unknown: 'neutral',
  invalid: 'error',
};
const stateKinds: Record<NonNullable<FoundLine['state']>, StatusKind> = {
  open: 'success',
  closed: 'warning',
  expired: 'warning',
  removed: 'neutral',
  enabled: 'success',
  disabled: 'warning',
};
const kindLabel = (row: FoundLine) => `batche_query.kind.${row.kind}`;
const stateLabel = (row: FoundLine) => (row.state ? `batche_query.state.${row.state}` : '');
const dash = <span className="lc-soft">–</span>;

const columns = columnsOf(api.batche_query.inquire, [
  { key: 'at', width: 70, align: 'right' },
  { key: 'line', kind: 'name', width: 260, render: (row) => <Copyable value={row.line} maximum={36} code /> },
  { key: 'kind', kind: 'status', status: (row) => ({ kind: kindKinds[row.kind], label: kindLabel(row) }), title: 'common.field.result' },
  { key: 'name', width: 220, card: 'field', exportValue: (row) => row.name || row.file_name, render: (row) => <Named row={row} /> },
  { key: 'file_name', width: 120, hiddenByDefault: true },
  { key: 'owner_account', title: 'common.field.owner', width: 120, render: (row) => row.owner_account ?? dash },
  {
    key: 'state',
    title: 'common.field.state',
    width: 110,
    card: 'field',
    exportValue: stateLabel,
    render: (row) => (row.state ? <Status kind={stateKinds[row.state]} label={stateLabel(row)} /> : dash),
  },
  { key: 'host', width: 200, card: 'field', render: (row) => <Host row={row} /> },
  {
    key: 'block_status',
    title: 'domain_list.block_status',
    width: 120,
    exportValue: (row) => (row.domain_type === null ? '' : blockLabel(row)),
    render: (row) => (row.domain_type === null ? dash : <BlockStatus row={row} />),
  },
  { key: 'visits', kind: 'number', width: 100 },
  { key: 'ips', kind: 'number', width: 100, card: undefined },
]);

function Named({ row }: { row: FoundLine }) {
  const { t } = useTranslation();
  if (!row.name && !row.file_name) return dash;
  return (
    <>
      <CodeLink id={row.live_code_id} name={(row.kind === 'domain' && row.host_unicode) || row.name} />{' '}
      {row.file_name && row.file_name !== row.name && <span className="lc-soft lc-code">{row.file_name}</span>}{' '}
      {row.found_alias && <span className="lc-soft">{t('common.found_alias', { key: row.found_alias })}</span>}
    </>
  );
}

const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function LookUp({ onFound }: { onFound: (lines: readonly string[]) => void }) {
  const { t } = useTranslation();
  const form = useContractForm(api.batche_query.inquire, {
    // No line at all is a field that wasn't filled in.
    toInput: (values) => ({ lines: linesOf(values.lines).length > 0 ? linesOf(values.lines) : null, page_size: 1 }),
    isQuery: true,
    success: false,
    onDone: () => onFound(linesOf(form.form.getFieldValue('lines'))),
  });
  return (
    <div className="lc-panel lc-query-form">
      <ContractForm form={form}>
        <Field
          kind="textarea"
          name="lines"
          label="batche_query.lines"
          help={t('batche_query.lines_help', { maximum: maxQueried })}
          rows={5}
          code
          required
        />
        <Button type="primary" icon={<SearchOutlined />} loading={form.isRunning} onClick={() => void form.submit()}>
          {t('common.look_up')}
        </Button>
      </ContractForm>
    </div>
  );
}

function Summary({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation();
  const answer = useCall(api.batche_query.inquire, { lines: [...lines], page: 1, page_size: 1 });
  if (!answer.data) return null;
  const { kinds } = answer.data;
  return (
    <p className="lc-query-summary" role="status">
      {(['code', 'short', 'domain', 'unknown', 'invalid'] as const)
        .filter((kind) => kinds[kind] > 0)
        .map((kind) => (
          <Status key={kind} kind={kindKinds[kind]} label={`${t(`batche_query.kind.${kind}`)} ${kinds[kind]}`} />
        ))}
    </p>
  );
}

const domainsOf = (type: 1 | 2) => remoteOptions(api.domain_list.options, () => ({ type }), hostOption);
const [entries, landings] = [domainsOf(1), domainsOf(2)];

/** The live codes behind rows, each once: of a short link the code that it leads to. */
const codesOf = (rows: readonly FoundLine[]): number[] => [
  ...new Set(rows.filter(({ state }) => state !== 'removed').flatMap(({ live_code_id }) => live_code_id ?? [])),
];

/** Paste keys, links and domains: what each is, and acts on the codes among them. */
export function BatchQueryPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const [moved, setMoved] = useState<number[] | null>(null);
  const undo = useUndo(['batche_query']);
  const open = useAction(api.qr_code_list.update_open, {
    success: false,
    invalidates: ['batche_query'],
    onSuccess: (output, input) => undo.offer(doneWords(api.qr_code_list.update_open, input, output), output.change_id),
  });

  async function setOpen(rows: readonly FoundLine[], isOpen: boolean) {
    const ids = codesOf(rows);
    const title = t(ids.length === 0 ? 'batche_query.no_codes' : isOpen ? 'batche_query.open_title' : 'batche_query.close_title', {
      number: ids.length,
    });
    const agreed = await confirm({
      title,
      ...(ids.length > 0 ? { confirm: isOpen ? 'common.enable' : 'common.disable', danger: !isOpen } : {}),
    });
    return agreed && ids.length > 0 && (await open.run({ ids, open: isOpen })) !== undefined;
  }

  const batch = (key: string, label: string, onClick: (rows: FoundLine[]) => Promise<boolean>): BatchAction<FoundLine> => ({
    key,
    label,
    node: 'batche_query.batch',
    onClick,
  });
  return (
    <Page title="menu.batche_query" help={t('batche_query.help')}>
      <LookUp onFound={setLines} />
      {lines === null ? (
        <Empty picture="find" title="batche_query.empty" help="batche_query.empty_help" />
      ) : (
        <>
          <Summary lines={lines} />
          <ListTable
            key={lines.join('\n')}
            list={api.batche_query.inquire}
            fixedInput={{ lines: [...lines] }}
            rowKey="key"
            columns={columns}
            exportName="menu.batche_query"
            exportNode="batche_query.export"
            batchActions={[
              batch('open', 'common.enable', (rows) => setOpen(rows, true)),
              batch('close', 'common.disable', (rows) => setOpen(rows, false)),
              batch('domain', 'menu.button.domain', async (rows) => {
                const ids = codesOf(rows);
                if (ids.length > 0) setMoved(ids);
                else await confirm({ title: 'batche_query.no_codes' });
                return false;
              }),
            ]}
          />
        </>
      )}
      {moved && <MoveCodes ids={moved} onClose={() => setMoved(null)} />}
    </Page>
  );
}

function MoveCodes({ ids, onClose }: { ids: number[]; onClose: () => void }) {
  const { t } = useTranslation();
  const domain = { kind: 'remote', placeholder: 'no_domain_name.unchanged' } as const;
  return (
    <FormModal
      action={api.qr_code_list.change_domain_name}
      title="menu.button.domain"
      submit="menu.button.domain"
      intro={t('batche_query.change_domain_intro', { number: ids.length })}
      fields={[
        { ...domain, name: 'entry_domain_id', label: 'domain_list.type_1', source: entries },
        { ...domain, name: 'landing_domain_id', label: 'domain_list.type_2', source: landings },
      ]}
      toInput={({ entry_domain_id, landing_domain_id, accept_risk = false }) => ({
        ids,
        accept_risk,
        ...(entry_domain_id ? { entry_domain_id } : {}),
        ...(landing_domain_id ? { landing_domain_id } : {}),
      })}
      invalidates={['batche_query', 'domain_list']}
      onClose={onClose}
    >
      <DomainRiskField />
    </FormModal>
  );
}
