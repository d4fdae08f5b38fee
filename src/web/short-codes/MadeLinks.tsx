import { CopyOutlined } from '@ant-design/icons';
import { Button, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MadeLink } from '../../contract/links/short-code.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Copyable, Status, useCopy } from '../kit/feedback.ts';
import { useIsPhone } from '../kit/look/media.ts';
import { QrImage } from '../qr/QrImage.tsx';
import type { KnownCodes } from './means.ts';

type Props = { results: readonly MadeLink[]; known: KnownCodes; onClose: () => void };

/** What became of each destination: its link to copy, or why there is none. */
export function MadeLinks({ results, known, onClose }: Props) {
  const { t } = useTranslation();
  const copy = useCopy();
  const isPhone = useIsPhone();
  const links = results.flatMap(({ short_url }) => short_url ?? []);
  const failed = results.length - links.length;
  const [only] = links;
  const nameOf = ({ live_code_id, url }: MadeLink) => url ?? known.find(({ value }) => value === live_code_id)?.label ?? `#${live_code_id}`;

  const footer = [
    ...(links.length > 1
      ? [
          <Button key="copy" icon={<CopyOutlined />} onClick={() => void copy(links.join('\n'))}>
            {t('common.copy_all')}
          </Button>,
        ]
      : []),
    <Button key="close" type="primary" onClick={onClose}>
      {t('common.close')}
    </Button>,
  ];
  return (
    <Modal
      open
      title={failed === 0 ? t('short_code.made', { number: links.length }) : t('short_code.made_some', { number: links.length, failed })}
      onCancel={onClose}
      footer={footer}
    >
      {results.length === 1 && only !== undefined ? (
        <div className="lc-short-made">
          <QrImage text={only} alt={t('short_code.qr_of', { link: only })} width={180} />
          <Copyable value={only} code maximum={60} />
        </div>
      ) : (
        <Table<MadeLink>
          size="small"
          rowKey={(row) => row.id ?? row.url ?? row.live_code_id ?? 0}
          dataSource={[...results]}
          pagination={results.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          scroll={{ y: 420 }}
          columns={[
            ...(isPhone
              ? []
              : [
                  {
                    key: 'destination',
                    title: t('short_code.destination'),
                    ellipsis: true,
                    render: (_value: unknown, row: MadeLink) => <CodeLink id={row.live_code_id} name={nameOf(row)} />,
                  },
                ]),
            {
              key: 'link',
              title: t('short_code.short_url'),
              render: (_value, row) => (
                <>
                  {isPhone && <div className="lc-soft lc-cut">{nameOf(row)}</div>}
                  {row.short_url === null ? <Status kind="error" label={row.error ?? ''} /> : <Copyable value={row.short_url} code />}
                </>
              ),
            },
          ]}
        />
      )}
    </Modal>
  );
}
