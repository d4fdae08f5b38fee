import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { toQrDesign } from '../../../qr/design.ts';
import { api } from '../../kit/calls/api.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Empty, Failure } from '../../kit/feedback.ts';
import { linkText } from '../../kit/host.ts';
import { type PrintItem, PrintSheetDialog } from '../../qr/PrintSheetDialog.tsx';

const atOnce = 50;

/** Whole designs, logos included, come a few codes at a time: each may hold a picture. */
async function readItems(ids: readonly number[], signal: AbortSignal): Promise<PrintItem[]> {
  const items: PrintItem[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    const { content } = await api.qr_code_list.sheet({ ids: ids.slice(at, at + atOnce) }, { signal });
    for (const { name, file_name, remark, url, entry_host: host, entry_host_unicode: host_unicode, qr_design } of content) {
      if (url === null) continue;
      const lines = [
        { label: 'qr_code_list.columns.name', text: name },
        { label: 'qr_code_list.columns.file_name', text: file_name },
        { label: 'qr_code_list.columns.remark', text: remark },
        { label: 'code_import.link', text: linkText(url, { host, host_unicode }).replace(/\?s=.*$/, '') },
      ];
      items.push({ content: url, design: toQrDesign(qr_design), lines });
    }
  }
  return items;
}

/** The print sheet of live codes; those without an entry domain have nothing to print. */
export function PrintCodes({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { t } = useTranslation();
  const items = useQuery({
    queryKey: ['qr_code_list', 'sheet', ids],
    queryFn: ({ signal }) => readItems(ids, signal),
    gcTime: 0,
    retry: false,
  });
  if (items.data && items.data.length > 0) return <PrintSheetDialog items={items.data} name={t('menu.qr_code_list')} onClose={onClose} />;
  return (
    <Modal open title={t('print_sheet.action')} footer={null} centered onCancel={onClose}>
      {items.isError ? (
        <Failure error={items.error} retry={() => void items.refetch()} />
      ) : items.data ? (
        <Empty picture="road" title="qr_code_list.design.no_url" help="qr_code_list.design.no_url_help" />
      ) : (
        <Skeleton active paragraph={{ rows: 6 }} />
      )}
    </Modal>
  );
}
