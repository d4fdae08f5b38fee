import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { showStatus } from '../../contract/enums.ts';
import type { MadeLink, ShortCode } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { ListPage } from '../kit/ListPage.tsx';
import { AddShortCodes } from './AddShortCodes.tsx';
import { EditShortCode, RegenerateShortCode } from './EditShortCode.tsx';
import { MadeLinks } from './MadeLinks.tsx';
import type { KnownCodes } from './means.ts';
import { shortColumns, shortFilters } from './short-codes.columns.tsx';
import './short-codes.css';

/** Live codes that another screen sent here to have links made, as the state of the address. */
function useSentCodes(): { codes: KnownCodes | null; forget: () => void } {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as { make_for?: KnownCodes } | null;
  return {
    codes: state?.make_for ?? null,
    forget: () => void navigate({ pathname: location.pathname, search: location.search }, { replace: true, state: null }),
  };
}

/** Short links: made one or many at a time, shown with what they lead to and what they bring, changed and taken away. */
export function ShortCodesPage() {
  const { t } = useTranslation();
  const { user, allows } = useSession();
  const confirm = useConfirm();
  const sent = useSentCodes();
  const [params] = useSearchParams();
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<ShortCode | null>(null);
  const [renewed, setRenewed] = useState<ShortCode | null>(null);
  const [made, setMade] = useState<{ results: readonly MadeLink[]; known: KnownCodes } | null>(null);
  const enable = useAction(api.short_code.update_enabled);
  const show = useAction(api.short_code.update_display);
  const removal = useRemoval<ShortCode, unknown>(api.short_code.remove, {
    node: 'short_code.remove',
    title: 'short_code.remove_title',
    many: 'short_code.remove_many_title',
    content: 'short_code.remove_content',
    name: ({ short_url }) => ({ link: short_url }),
  });
  const isAdministrator = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  const mayChange = (row: ShortCode) => isAdministrator || row.owner_id === user?.id;
  const ids = (rows: readonly ShortCode[]) => rows.map((row) => row.id);
  const known = sent.codes ?? [];

  async function setEnabled(rows: readonly ShortCode[], enabled: boolean) {
    if (!enabled) {
      const title =
        rows.length === 1
          ? t('short_code.disable_title', { link: rows[0]?.short_url ?? '' })
          : t('short_code.disable_many_title', { number: rows.length });
      if (!(await confirm({ title, content: 'short_code.disable_content', confirm: 'common.disable', danger: true }))) return false;
    }
    return (await enable.run({ ids: ids(rows), enabled })) !== undefined;
  }
  const setDisplay = async (rows: readonly ShortCode[], display: 1 | 2) => (await show.run({ ids: ids(rows), display })) !== undefined;

  function closeAdding() {
    setIsAdding(false);
    if (sent.codes) sent.forget();
  }
  const addButton = <AddButton node="short_code.add" label="short_code.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.short_code"
        help={t('short_code.help')}
        list={api.short_code.inquire}
        columns={shortColumns}
        filters={shortFilters(isAdministrator)}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.short_code"
        actions={addButton}
        // Visits are counted by the loader; what one watches should move.
        pollSeconds={30}
        empty={params.size > 0 ? undefined : { title: 'short_code.empty', help: 'short_code.empty_help', action: addButton }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'short_code.update', visible: mayChange, onClick: setEdited },
          { key: 'regenerate', label: 'short_code.regenerate', node: 'short_code.regenerate', visible: mayChange, onClick: setRenewed },
          {
            key: 'enable',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'short_code.update',
            visible: mayChange,
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          {
            key: 'display',
            label: (row) => (row.display === showStatus.shown ? 'short_code.hide' : 'short_code.show'),
            node: 'short_code.display',
            onClick: (row) => void setDisplay([row], row.display === showStatus.shown ? showStatus.hidden : showStatus.shown),
          },
          { ...removal.row, visible: mayChange },
        ]}
        batchActions={[
          { key: 'enable', label: 'common.enable', node: 'short_code.update', onClick: (rows) => setEnabled(rows, true) },
          { key: 'disable', label: 'common.disable', node: 'short_code.update', onClick: (rows) => setEnabled(rows, false) },
          { key: 'show', label: 'short_code.show', node: 'short_code.display', onClick: (rows) => setDisplay(rows, showStatus.shown) },
          { key: 'hide', label: 'short_code.hide', node: 'short_code.display', onClick: (rows) => setDisplay(rows, showStatus.hidden) },
          removal.batch,
        ]}
      />
      {(isAdding || (sent.codes !== null && allows('short_code.add'))) && (
        <AddShortCodes known={known} onDone={({ results }) => setMade({ results, known })} onClose={closeAdding} />
      )}
      {made && <MadeLinks {...made} onClose={() => setMade(null)} />}
      {edited && <EditShortCode row={edited} onClose={() => setEdited(null)} />}
      {renewed && (
        <RegenerateShortCode
          row={renewed}
          onDone={({ live_code_id, url, id, short_url }) =>
            setMade({ results: [{ live_code_id, url, id, short_url, error: null }], known: [] })
          }
          onClose={() => setRenewed(null)}
        />
      )}
    </>
  );
}
