import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { showStatus } from '../../contract/enums.ts';
import type { MadeLink, ShortCode } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { AddButton, useEnabling, useRemoval } from '../kit/dialogs/removal.tsx';
import { type BatchAction, ListPage, type RowAction } from '../kit/ListPage.tsx';
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

type OpenShortCode = (row: ShortCode) => void;

/** What is done to short links, one by one or selected. */
function useShortCodeActions(
  edit: OpenShortCode,
  regenerate: OpenShortCode,
): { rowActions: RowAction<ShortCode>[]; batchActions: BatchAction<ShortCode>[] } {
  const { mayChange } = useSession();
  const show = useAction(api.short_code.update_display);
  const about = { visible: mayChange, name: ({ short_url }: ShortCode) => ({ link: short_url }) };
  const enabling = useEnabling<ShortCode>(api.short_code.update_enabled, {
    ...about,
    node: 'short_code.update',
    title: 'short_code.disable_title',
    many: 'short_code.disable_many_title',
    content: 'short_code.disable_content',
  });
  const removal = useRemoval<ShortCode, unknown>(api.short_code.remove, {
    ...about,
    node: 'short_code.remove',
    title: 'short_code.remove_title',
    many: 'short_code.remove_many_title',
    content: 'short_code.remove_content',
  });

  async function setDisplay(rows: readonly ShortCode[], display: 1 | 2): Promise<boolean> {
    const changed = rows.filter((row) => row.display !== display).map(({ id }) => id);
    const before = display === showStatus.shown ? showStatus.hidden : showStatus.shown;
    const subject = { name: rows[0]?.short_url, undo: changed.length > 0 ? { ids: changed, display: before } : undefined };
    return (await show.run({ ids: rows.map(({ id }) => id), display }, subject)) !== undefined;
  }

  return {
    rowActions: [
      { key: 'update', label: 'common.edit', node: 'short_code.update', visible: mayChange, onClick: edit },
      { key: 'regenerate', label: 'short_code.regenerate', node: 'short_code.regenerate', visible: mayChange, onClick: regenerate },
      enabling.row,
      {
        key: 'display',
        label: (row) => (row.display === showStatus.shown ? 'short_code.hide' : 'short_code.show'),
        node: 'short_code.display',
        onClick: (row) => void setDisplay([row], row.display === showStatus.shown ? showStatus.hidden : showStatus.shown),
      },
      removal.row,
    ],
    batchActions: [
      ...enabling.batch,
      { key: 'show', label: 'short_code.show', node: 'short_code.display', onClick: (rows) => setDisplay(rows, showStatus.shown) },
      { key: 'hide', label: 'short_code.hide', node: 'short_code.display', onClick: (rows) => setDisplay(rows, showStatus.hidden) },
      removal.batch,
    ],
  };
}

/** Short links: made one or many at a time, shown with what they lead to and what they bring, changed and taken away. */
export function ShortCodePage() {
  const { t } = useTranslation();
  const { isAdministrator, allows } = useSession();
  const sent = useSentCodes();
  const [params] = useSearchParams();
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<ShortCode | null>(null);
  const [renewed, setRenewed] = useState<ShortCode | null>(null);
  const [made, setMade] = useState<{ results: readonly MadeLink[]; known: KnownCodes } | null>(null);
  const actions = useShortCodeActions(setEdited, setRenewed);
  const known = sent.codes ?? [];

  function closeAdding() {
    setIsAdding(false);
    if (sent.codes) sent.forget();
  }
  const addButton = <AddButton node="short_code.add" label="menu.add_short_code" onClick={() => setIsAdding(true)} />;
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
        empty={
          params.size > 0 ? undefined : { picture: 'codes', title: 'short_code.empty', help: 'short_code.empty_help', action: addButton }
        }
        {...actions}
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
