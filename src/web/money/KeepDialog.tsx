import { Alert, Button, Skeleton, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '../../contract/money/buy-vip-combo.ts';
import type { KeptKind } from '../../contract/money/vip-combo.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Failure } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import './money.css';

const shop = api.buy_vip_combo;
const width = 720;

/** Which codes can be changed, or which addresses are watched, while there are more than the quota. */
export function KeepDialog({ kind, onClose }: { kind: KeptKind; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(shop.choices, { kind });
  const [picked, setPicked] = useState<readonly number[]>();
  const keep = useAction(shop.keep, {
    success: 'buy_vip_combo.keep.done',
    invalidates: ['buy_vip_combo', 'home', 'qr_code_list', 'domain_monitor'],
    onSuccess: onClose,
  });
  const former = data ? data.content.filter(({ kept }) => kept).map(({ id }) => id) : [];
  const chosen = picked ?? former;
  const isOver = data !== undefined && data.limit !== null && data.total > data.limit;
  const footer = (
    <>
      <Button onClick={onClose}>{t(isOver ? 'common.cancel' : 'common.close')}</Button>
      {isOver && (
        <Button
          type="primary"
          loading={keep.isRunning}
          disabled={chosen.length !== data.limit}
          onClick={() => void keep.run({ kind, ids: [...chosen] }, { undo: { kind, ids: former } })}
        >
          {t('buy_vip_combo.keep.submit')}
        </Button>
      )}
    </>
  );
  return (
    <Modal open width={width} title={t(`buy_vip_combo.keep.title_${kind}`)} onCancel={onClose} footer={footer}>
      {!data && (error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />)}
      {data && !isOver && <Alert type="success" showIcon title={t('buy_vip_combo.keep.enough')} />}
      {isOver && <Picking kind={kind} rows={data.content} limit={data.limit ?? 0} chosen={chosen} pick={setPicked} />}
    </Modal>
  );
}

type PickingProps = {
  kind: KeptKind;
  rows: readonly Choice[];
  limit: number;
  chosen: readonly number[];
  pick: (ids: readonly number[]) => void;
};

function Picking({ kind, rows, limit, chosen, pick }: PickingProps) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const name = {
    key: 'name',
    title: t(`vip_combo.${kind}`),
    render: (_: unknown, row: Choice) => (
      <>
        {row.name} {row.detail !== row.name && <span className="lc-soft">{row.detail}</span>}
      </>
    ),
  };
  const visits = {
    key: 'visits',
    title: t('buy_vip_combo.keep.visits'),
    width: 120,
    align: 'end' as const,
    render: (_: unknown, row: Choice) => <span className="lc-num">{row.visits === null ? '–' : exact(row.visits)}</span>,
    sorter: (one: Choice, other: Choice) => (one.visits ?? 0) - (other.visits ?? 0),
  };
  return (
    <>
      <p>{t(`buy_vip_combo.keep.help_${kind}`, { limit: exact(limit), count: limit })}</p>
      <p aria-live="polite">
        <b className="lc-num">{t('buy_vip_combo.keep.chosen', { number: exact(chosen.length), limit: exact(limit) })}</b>
      </p>
      <Table<Choice>
        size="small"
        rowKey="id"
        dataSource={rows}
        columns={kind === 'live_codes' ? [name, visits] : [name]}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        rowSelection={{
          selectedRowKeys: [...chosen],
          preserveSelectedRowKeys: true,
          onChange: (keys) => pick(keys.map(Number)),
          getTitleCheckboxProps: () => ({ 'aria-label': t('common.select_page') }),
          getCheckboxProps: (row) => ({ 'aria-label': row.name }),
        }}
      />
    </>
  );
}
