import { Button, Modal, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ipBlack } from '../../../contract/ip-black.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { Status, type StatusKind } from '../../kit/feedback.ts';

type Result = AddedLines['results'][number];

const kinds: Record<Result['state'], StatusKind> = {
  added: 'success',
  updated: 'info',
  repeated: 'neutral',
  invalid: 'error',
  own_address: 'warning',
  loopback: 'warning',
};

export type AddedLines = OutputOf<(typeof ipBlack)['calls']['add']>;

/** What became of the lines that were not simply added. */
export function LineResults({ added, onClose }: { added: AddedLines; onClose: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(true);
  const close = () => setIsOpen(false);
  const rows = added.results.map((result, at) => ({ ...result, at: at + 1 })).filter((result) => result.state !== 'added');
  return (
    <Modal
      open={isOpen}
      title={t('ip_black.results')}
      width={560}
      centered
      onCancel={close}
      afterClose={onClose}
      footer={
        <Button type="primary" onClick={close}>
          {t('common.close')}
        </Button>
      }
    >
      <p className="lc-form-intro">{t('ip_black.results_summary', { lines: added.results.length, number: added.added })}</p>
      <Table
        size="small"
        rowKey="at"
        dataSource={rows}
        pagination={rows.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
        scroll={{ y: '45vh' }}
        columns={[
          { key: 'at', dataIndex: 'at', title: '#', width: 60, align: 'right' },
          { key: 'line', dataIndex: 'line', title: t('ip_black.line'), className: 'lc-code', ellipsis: true },
          {
            key: 'state',
            title: t('ip_black.result'),
            width: 270,
            render: (_, row) => <Status kind={kinds[row.state]} label={`ip_black.line_${row.state}`} />,
          },
        ]}
      />
    </Modal>
  );
}
