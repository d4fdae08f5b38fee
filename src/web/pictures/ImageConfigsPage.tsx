import { Image, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { qrKinds } from '../../contract/codes/qr-kind.ts';
import type { OwnPicture } from '../../contract/content/image-configs.ts';
import { bytesText } from '../kit/bytes.ts';
import { api } from '../kit/calls/api.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { useRemoval } from '../kit/dialogs/removal.tsx';
import { Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { PictureUses } from './PictureUses.tsx';
import { ReplacePicture } from './ReplacePicture.tsx';
import { UploadButton } from './UploadButton.tsx';
import './pictures.css';

const columns = columnsOf(api.image_configs.inquire, [
  { key: 'url', title: 'common.field.picture', width: 88, card: 'field', render: (row) => <Thumbnail row={row} /> },
  { key: 'title', kind: 'name', title: 'common.field.name', width: 240 },
  {
    key: 'qr_kind',
    width: 130,
    exportValue: (row) => (row.qr_kind ? `image_configs.kind_${row.qr_kind}` : ''),
    render: (row) => <Kind row={row} />,
  },
  { key: 'used', width: 110, align: 'right', card: 'aside', render: (row) => <Used row={row} /> },
  {
    key: 'width',
    title: 'image_configs.dimensions',
    width: 130,
    align: 'right',
    exportValue: (row) => `${row.width} × ${row.height}`,
    render: (row) => <span className="lc-num">{`${row.width} × ${row.height}`}</span>,
  },
  { key: 'size', width: 110, align: 'right', card: 'field', render: (row) => <span className="lc-num">{bytesText(row.size)}</span> },
  { key: 'created_at', kind: 'time' },
]);

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
    <Image src={row.url} alt={row.title || t('common.field.picture')} width={56} height={56} className="lc-thumbnail" loading="lazy" />
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

/** Pictures that users uploaded: find it again, see where it is used, put another one in its place. */
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
    name: ({ title }) => ({ name: title || t('common.field.picture') }),
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
        empty={{ picture: 'pictures', title: 'image_configs.empty', help: 'image_configs.empty_help', action: <UploadButton /> }}
        rowActions={[
          { key: 'uses', label: 'image_configs.uses', visible: (row) => row.used > 0, onClick: setOpened },
          {
            key: 'replace',
            label: 'menu.button.replace',
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
          fields={[{ kind: 'text', name: 'title', label: 'common.field.name' }]}
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
