import { Button, Descriptions, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invoice } from '../../contract/money/invoice.ts';
import type { Order } from '../../contract/money/order.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure, shownAmount } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import { safeFileName, saveBlob } from '../qr/download.ts';
import type { InvoiceWords } from './invoicePdf.ts';
import './money.css';

const isSome = (amount: string) => Number(amount) !== 0;

/** Writes an invoice in the words of the page and offers it as a file. */
function useInvoiceFile(): (order: Order, invoice: Invoice) => Promise<void> {
  const { t } = useTranslation();
  const { time } = useFormat();
  const usdt = (amount: string) => t('order.money', { amount: shownAmount(amount) });
  const wordsOf = (order: Order, { number, issued_at, issuer, buyer }: Invoice): InvoiceWords => ({
    title: t('invoice.title'),
    facts: [
      [t('invoice.number'), number],
      [t('invoice.issued_at'), time(issued_at)],
      [t('order.order_no'), order.order_no],
    ],
    seller: { label: t('invoice.seller'), lines: issuer.split('\n') },
    buyer: {
      label: t('invoice.buyer'),
      lines: [buyer.name, ...(buyer.tax_number ? [`${t('invoice.tax_number')} ${buyer.tax_number}`] : []), ...buyer.address.split('\n')],
    },
    head: [t('invoice.item'), t('invoice.amount')],
    items: [
      [t('invoice.membership', { combo: order.combo.name, days: order.days }), usdt(order.price)],
      ...(isSome(order.credit) ? [[t('order.credit'), `-${usdt(order.credit)}`] as const] : []),
      ...(isSome(order.discount) ? [[`${t('order.discount')} ${order.coupon}`, `-${usdt(order.discount)}`] as const] : []),
    ],
    total: [t('invoice.total'), usdt(order.amount)],
    payment: [
      [t('order.pay_type'), t('order.pay_type_1')],
      ...(order.paid_at ? [[t('order.paid_at'), time(order.paid_at)] as const] : []),
      ...(order.transaction_hash ? [[t('order.transaction_hash'), order.transaction_hash] as const] : []),
    ],
    stamp: order.state === 'refunded' ? t('order.state_refunded') : null,
  });
  return async (order, invoice) => {
    const { renderInvoice } = await import('./invoicePdf.ts');
    saveBlob(await renderInvoice(wordsOf(order, invoice)), safeFileName(`${t('invoice.title')} ${invoice.number}`, 'pdf'));
  };
}

function Issued({ order, invoice, onClose }: { order: Order; invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const save = useInvoiceFile();
  const [isSaving, setIsSaving] = useState(false);
  const items = [
    { key: 'number', label: t('invoice.number'), children: <span className="lc-num">{invoice.number}</span> },
    { key: 'issued_at', label: t('invoice.issued_at'), children: time(invoice.issued_at) },
    { key: 'seller', label: t('invoice.seller'), children: <div className="lc-lines">{invoice.issuer}</div> },
    {
      key: 'buyer',
      label: t('invoice.buyer'),
      children: <div className="lc-lines">{[invoice.buyer.name, invoice.buyer.tax_number, invoice.buyer.address].join('\n').trim()}</div>,
    },
    { key: 'total', label: t('invoice.total'), children: t('order.money', { amount: shownAmount(order.amount) }) },
  ];
  return (
    <Modal
      open
      title={t('invoice.title')}
      onCancel={onClose}
      footer={
        <Button
          type="primary"
          loading={isSaving}
          onClick={() => {
            setIsSaving(true);
            void save(order, invoice).finally(() => setIsSaving(false));
          }}
        >
          {t('invoice.download')}
        </Button>
      }
    >
      <Descriptions bordered size="small" column={{ xs: 1, md: 2 }} items={items} />
    </Modal>
  );
}

/** The invoice of a paid order: asks whom it is for, issues it once, and gives it as a PDF as often as it is wanted. */
export function InvoiceDialog({ order_id, onClose }: { order_id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.invoice.inquire, { order_id });
  const [issued, setIssued] = useState<{ order: Order; invoice: Invoice }>();
  const save = useInvoiceFile();
  const invoice = issued?.invoice ?? data?.invoice;
  if (data && invoice) return <Issued order={data.order} invoice={invoice} onClose={onClose} />;
  if (!data)
    return (
      <Modal open title={t('invoice.title')} footer={null} onCancel={onClose}>
        {error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />}
      </Modal>
    );
  return (
    <FormModal
      action={api.invoice.issue}
      title="invoice.issue_title"
      submit="invoice.issue"
      intro={t('invoice.issue_intro')}
      initial={data.buyer}
      invalidates={['invoice']}
      toInput={(values) => ({ ...values, order_id })}
      fields={[
        { kind: 'text', name: 'name', label: 'invoice.buyer_name', required: true },
        { kind: 'text', name: 'tax_number', label: 'invoice.tax_number' },
        { kind: 'textarea', name: 'address', label: 'invoice.address', rows: 3 },
      ]}
      onDone={(made) => {
        setIssued(made);
        void save(made.order, made.invoice);
      }}
      // The invoice takes the place of the form.
      onClose={(isDone) => !isDone && onClose()}
    />
  );
}
