import { BgColorsOutlined, FileZipOutlined, PrinterOutlined } from '@ant-design/icons';
import { Button, Input, Pagination, Skeleton } from 'antd';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { ShortCode } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { Dropdown } from '../kit/dialogs/dialogs.tsx';
import { Empty, Failure, Page } from '../kit/feedback.ts';
import { useDebounced } from '../kit/useDebounced.ts';
import type { DownloadFormat } from '../qr/download.ts';
import { PrintSheetDialog } from '../qr/PrintSheetDialog.tsx';
import { LookDialog } from './short-qr/LookDialog.tsx';
import { printItems } from './short-qr/printItems.ts';
import { QrCard } from './short-qr/QrCard.tsx';
import { useDownloads } from './short-qr/useDownloads.ts';
import './short-codes.css';

const pageSizes = [24, 48, 96, 192];

/** What is looked at stands in the address; what is typed gets there once the hand rests. */
function useView() {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const size = pageSizes.find((one) => String(one) === params.get('page_size')) ?? 24;
  const set = (changes: Record<string, string>, replace = false) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [key, value] of Object.entries(changes)) {
          if (value === '') next.delete(key);
          else next.set(key, value);
        }
        return next;
      },
      { replace },
    );
  return { page, size, search: params.get('search') ?? '', set };
}

/** Nothing matches, or there are no links yet, which are made on another screen. */
function Nothing({ isSearching, onClear }: { isSearching: boolean; onClear: () => void }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  if (isSearching) {
    const action = <Button onClick={onClear}>{t('common.filters.clear')}</Button>;
    return <Empty picture="search" title="common.empty.no_match" help="common.empty.no_match_help" action={action} />;
  }
  const action = allows('short_code') && <Button href="#/customer/short_code">{t('menu.add_short_code')}</Button>;
  return <Empty title="short_qr_code_list.empty" help="short_qr_code_list.empty_help" action={action} />;
}

/** The links that are chosen, also those of other pages. */
function useChosen(rows: readonly ShortCode[]) {
  const [selected, setSelected] = useState<ReadonlyMap<number, ShortCode>>(new Map());
  const isPageSelected = rows.length > 0 && rows.every((row) => selected.has(row.id));
  const select = useCallback((row: ShortCode, isSelected: boolean) => {
    setSelected((before) => {
      const next = new Map(before);
      if (isSelected) next.set(row.id, row);
      else next.delete(row.id);
      return next;
    });
  }, []);
  function togglePage() {
    const others = [...selected].filter(([id]) => !rows.some((row) => row.id === id));
    setSelected(new Map(others.concat(isPageSelected ? [] : rows.map((row) => [row.id, row]))));
  }
  return { selected, chosen: [...selected.values()], select, isPageSelected, togglePage, clear: () => setSelected(new Map()) };
}

type Chosen = ReturnType<typeof useChosen>;

/** What is done to the chosen links, with the dialogs for it. */
function Actions({ chosen, clear, downloads }: Pick<Chosen, 'chosen' | 'clear'> & { downloads: ReturnType<typeof useDownloads> }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'look' | 'print' | null>(null);
  const close = () => setOpen(null);
  function done() {
    close();
    clear();
  }
  return (
    <>
      <Allowed node="short_qr_code_list.download">
        <Button icon={<BgColorsOutlined />} disabled={chosen.length === 0} onClick={() => setOpen('look')}>
          {t('short_qr_code_list.look')}
        </Button>
        <Button icon={<PrinterOutlined />} disabled={chosen.length === 0} onClick={() => setOpen('print')}>
          {t('short_qr_code_list.print')}
        </Button>
        <Dropdown
          disabled={chosen.length === 0 || downloads.isBusy}
          menu={{
            items: (['png', 'svg'] as const).map((format) => ({ key: format, label: format.toUpperCase() })),
            onClick: ({ key }) => void downloads.many(chosen, key as DownloadFormat),
          }}
        >
          <Button type="primary" icon={<FileZipOutlined />} loading={downloads.isBusy}>
            {chosen.length === 0 ? t('short_qr_code_list.zip') : t('short_qr_code_list.zip_of', { number: chosen.length })}
          </Button>
        </Dropdown>
      </Allowed>
      {open === 'print' && <PrintSheetDialog items={printItems(chosen)} name={t('menu.short_qr_code_list')} onClose={close} />}
      {open === 'look' && <LookDialog rows={chosen} onDone={done} onClose={close} />}
    </>
  );
}

/** The QR images of short links, side by side: chosen, given one look, saved one by one, as a ZIP or as a sheet to print. */
export function ShortQrPage() {
  const { t } = useTranslation();
  const view = useView();
  const [clearings, setClearings] = useState(0);
  const search = useDebounced(view.search.trim(), 300);
  const links = useCall(api.short_code.inquire, { page: view.page, page_size: view.size, ...(search ? { search } : {}) });
  const rows = links.data?.content ?? [];
  const { selected, chosen, select, isPageSelected, togglePage, clear } = useChosen(rows);
  const downloads = useDownloads();
  const { one } = downloads;
  const download = useCallback((row: ShortCode, format: DownloadFormat) => void one(row, format), [one]);

  function clearSearch() {
    view.set({ search: '', page: '' });
    setClearings(clearings + 1);
  }
  function content() {
    if (links.isError && rows.length === 0) return <Failure error={links.error} retry={() => void links.refetch()} />;
    if (links.isPending) return <Skeleton active paragraph={{ rows: 8 }} />;
    if (rows.length === 0) return <Nothing isSearching={search !== ''} onClear={clearSearch} />;
    return (
      <>
        <ul className="lc-short-cards">
          {rows.map((row) => (
            <QrCard key={row.id} row={row} isSelected={selected.has(row.id)} onSelect={select} onDownload={download} />
          ))}
        </ul>
        <Pagination
          align="end"
          current={view.page}
          pageSize={view.size}
          total={links.data?.total ?? 0}
          pageSizeOptions={pageSizes}
          showSizeChanger
          showTotal={(total) => t('common.total', { total })}
          onChange={(page, size) => view.set({ page: page === 1 ? '' : String(page), page_size: size === 24 ? '' : String(size) })}
        />
      </>
    );
  }
  return (
    <Page
      title="menu.short_qr_code_list"
      help={t('short_qr_code_list.help')}
      actions={<Actions chosen={chosen} clear={clear} downloads={downloads} />}
    >
      <div className="lc-short-qr-bar">
        <Input.Search
          key={clearings}
          allowClear
          className="lc-short-qr-search"
          defaultValue={view.search}
          placeholder={t('short_code.search')}
          aria-label={t('short_code.search')}
          onChange={(event) => view.set({ search: event.target.value, page: '' }, true)}
        />
        <Button onClick={togglePage} disabled={rows.length === 0}>
          {t(isPageSelected ? 'short_qr_code_list.unselect_page' : 'short_qr_code_list.select_page')}
        </Button>
        {chosen.length > 0 && (
          <Button type="link" onClick={clear}>
            {t('short_qr_code_list.clear', { number: chosen.length })}
          </Button>
        )}
      </div>
      {content()}
    </Page>
  );
}
