import { Button, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../dialogs/dialogs.tsx';
import { useIsPhone } from '../look/media.ts';
import { Status, type StatusKind } from './Status.tsx';

type Line = { line: string; state: string };

export type LineWords = {
  title: string;
  /** With the gaps `lines` and `number`. */
  summary: string;
  line: string;
  result: string;
  /** The label of a state. */
  state: (state: string) => string;
};

type Props<L extends Line> = {
  added: { added: number; results: readonly L[] };
  kinds: Record<L['state'], StatusKind>;
  words: LineWords;
  onClose: () => void;
};

/** What became of the typed lines that were not simply added. */
export function LineResults<L extends Line>({ added, kinds, words, onClose }: Props<L>) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(true);
  const isPhone = useIsPhone();
  const state = (row: L) => <Status kind={kinds[row.state as L['state']]} label={words.state(row.state)} />;
  const close = () => setIsOpen(false);
  const rows = added.results.map((result, at) => ({ result, at: at + 1 })).filter(({ result }) => result.state !== 'added');
  const footer = (
    <Button type="primary" onClick={close}>
      {t('common.close')}
    </Button>
  );
  return (
    <Modal open={isOpen} title={t(words.title)} width={560} centered onCancel={close} afterClose={onClose} footer={footer}>
      <p className="lc-form-intro">{t(words.summary, { lines: added.results.length, number: added.added })}</p>
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
            title: t(words.line),
            ellipsis: true,
            render: (_, { result }) => (
              <>
                <div className="lc-code lc-cut" title={result.line}>
                  {result.line}
                </div>
                {isPhone && state(result)}
              </>
            ),
          },
          ...(isPhone
            ? []
            : [
                {
                  key: 'state',
                  title: t(words.result),
                  width: 270,
                  render: (_: unknown, { result }: (typeof rows)[number]) => state(result),
                },
              ]),
        ]}
      />
    </Modal>
  );
}
