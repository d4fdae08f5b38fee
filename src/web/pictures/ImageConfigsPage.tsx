import { Image, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { qrKinds } from '../../contract/codes/qr-kind.ts';
import type { OwnPicture } from '../../contract/content/image-configs.ts';
import { bytesText } from '../kit/bytes.ts';
import { api } from '../kit/calls/api.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { useRemoval } from '../kit/dialogs/removal.tsx';
import { Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { PictureUses } from './PictureUses.tsx';
import { ReplacePicture } from './ReplacePicture.tsx';
import { UploadButton } from './UploadButton.tsx';
import './pictures.css';

const columns: Column<OwnPicture>[] = [
  {
    key: 'url',
    title: 'image_configs.picture',
    width: 88,
    exportValue: (row) => row.url,
    render: (row) => <Thumbnail row={row} />,
    card: 'field',
  },
  { key: 'title', title: 'image_configs.name', sortable: true, width: 240, card: 'title' },
  {
    key: 'qr_kind',
    title: 'image_configs.qr_kind',
    width: 130,
    exportValue: (row) => (row.qr_kind ? `image_configs.kind_${row.qr_kind}` : ''),
    render: (row) => <Kind row={row} />,
  },
  {
    key: 'used',
    title: 'image_configs.used',
    align: 'right',
    width: 110,
    card: 'aside',
    render: (row) => <Used row={row} />,
  },
  {
    key: 'width',
    title: 'image_configs.dimensions',
    width: 130,
    align: 'right',
    exportValue: (row) => `${row.width} × ${row.height}`,
    render: (row) => <span className="lc-num">{`${row.width} × ${row.height}`}</span>,
  },
  {
    key: 'size',
    title: 'image_configs.size',
    sortable: true,
    align: 'right',
    width: 110,
    card: 'field',
    render: (row) => <span className="lc-num">{bytesText(row.size)}</span>,
  },
  { key: 'created_at', title: 'image_configs.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
];

const filters: Filter<'search' | 'used' | 'qr_kind'>[] = [
  { kind: 'text', key: 'search', label: 'image_configs.search' },
  { kind: 'boolean', key: 'used', label: 'image_configs.used', yes: 'image_configs.in_use', no: 'image_configs.unused' },
  {
    kind: 'select',
    key: 'qr_kind',
    label: 'image_configs.qr_kind',
    options: qrKinds.map((value) => ({ value, label: `image_configs.kind_${value}` })),
  },
];

function Used({ row }: { row: OwnPicture }) {
  const { t } = useTranslation();
  return row.used > 0 ? (
    <span className="lc-num">{t('image_configs.times', { number: row.used })}</span>
  ) : (
    <Status kind="neutral" label="image_configs.unused" />
  );
}

function Thumbnail({ row }: { row: OwnPicture }) {
  const { t } = useTranslation();
  return (
    <Image src={row.url} alt={row.title || t('image_configs.picture')} width={56} height={56} className="lc-thumbnail" loading="lazy" />
  );
}

function Kind({ row }: { row: OwnPicture }) {
  const { t } = useTranslation();
  if (row.qr_kind === null) return null;
  return row.qr_kind === 'none' ? (
    <span className="lc-soft">{t('image_configs.kind_none')}</span>
  ) : (
    <Tag>{t(`image_configs.kind_${row.qr_kind}`)}</Tag>
  );
}

/** What somebody uploaded: find it again, see where it is used, put another one in its place. */
export function ImageConfigsPage() {
  const { t } = useTranslation();
  const [renamed, setRenamed] = useState<OwnPicture | null>(null);
  const [replaced, setReplaced] = useState<OwnPicture | null>(null);
  const [opened, setOpened] = useState<OwnPicture | null>(null);
  const removal = useRemoval<OwnPicture, unknown>(api.image_configs.remove, {
    node: 'image_configs.remove',
    title: 'image_configs.remove_title',
    many: 'image_configs.remove_many',
    content: 'image_configs.remove_content',
    name: ({ title }) => ({ name: title || t('image_configs.picture') }),
    visible: (row) => row.used === 0,
  });
  return (
    <>
      <ListPage
        title="menu.image_configs"
        help={t('image_configs.help')}
        list={api.image_configs.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.image_configs"
        actions={<UploadButton />}
        empty={{ title: 'image_configs.empty', help: 'image_configs.empty_help', action: <UploadButton /> }}
        rowActions={[
          { key: 'uses', label: 'image_configs.uses', visible: (row) => row.used > 0, onClick: setOpened },
          {
            key: 'replace',
            label: 'image_configs.replace',
            node: 'image_configs.update',
            visible: (row) => row.used > 0,
            onClick: setReplaced,
          },
          { key: 'rename', label: 'image_configs.rename', node: 'image_configs.update', onClick: setRenamed },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {renamed && (
        <FormModal
          action={api.image_configs.update}
          title="image_configs.rename"
          submit="common.save"
          fields={[{ kind: 'text', name: 'title', label: 'image_configs.name' }]}
          initial={{ title: renamed.title }}
          toInput={(values) => ({ title: '', ...values, id: renamed.id })}
          onClose={() => setRenamed(null)}
        />
      )}
      {replaced && <ReplacePicture picture={replaced} onClose={() => setReplaced(null)} />}
      {opened && <PictureUses picture={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
