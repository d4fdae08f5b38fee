import { Button, Grid, Modal, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { serverIpBlack } from '../../../contract/server-ip-black.ts';
import { Status, type StatusKind } from '../../kit/feedback.ts';

export type AddedLines = OutputOf<(typeof serverIpBlack)['calls']['add']>;

type Result = AddedLines['results'][number];

const kinds: Record<Result['state'], StatusKind> = {
  added: 'success',
  updated: 'info',
  repeated: 'neutral',
  invalid: 'error',
  loopback: 'warning',
  proxy: 'warning',
};

/** What became of the lines that were not simply added. */
export function BlockedLines({ added, onClose }: { added: AddedLines; onClose: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(true);
  const isPhone = !Grid.useBreakpoint().md;
  const state = (row: Result) => <Status kind={kinds[row.state]} label={`server_ip_black.line_${row.state}`} />;
  const close = () => setIsOpen(false);
  const rows = added.results.map((result, at) => ({ ...result, at: at + 1 })).filter((result) => result.state !== 'added');
  const footer = (
    <Button type="primary" onClick={close}>
      {t('common.close')}
    </Button>
  );
  return (
    <Modal open={isOpen} title={t('server_ip_black.results')} width={560} centered onCancel={close} afterClose={onClose} footer={footer}>
      <p className="lc-form-intro">{t('server_ip_black.results_summary', { lines: added.results.length, number: added.added })}</p>
      <Table
        size="small"
        rowKey="at"
        dataSource={rows}
        pagination={rows.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
        scroll={{ y: '45vh' }}
        columns={[
          { key: 'at', dataIndex: 'at', title: '#', width: 60, align: 'right' },
          {
            key: 'line',
            title: t('server_ip_black.line'),
            ellipsis: true,
            render: (_, row) => (
              <>
                <div className="lc-code">{row.line}</div>
                {isPhone && state(row)}
              </>
            ),
          },
          ...(isPhone
            ? []
            : [{ key: 'state', title: t('server_ip_black.result'), width: 270, render: (_: unknown, row: Result) => state(row) }]),
        ]}
      />
    </Modal>
  );
}
