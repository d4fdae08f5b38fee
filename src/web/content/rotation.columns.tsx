import { Image } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Picture } from '../../contract/content/rotation.ts';
import { api } from '../kit/calls/api.ts';
import { Copyable } from '../kit/feedback.ts';
import type { Column } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { translate } from '../kit/texts/i18n.ts';

/** A small picture that opens large. */
function Thumbnail({ row }: { row: Picture }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the picture inside.
    <span onClick={(event) => event.stopPropagation()}>
      <Image className="lc-content-thumb" src={row.picture_url} alt={row.title} width={96} height={40} loading="lazy" />
    </span>
  );
}

function Named({ row }: { row: Picture }) {
  return (
    <span className="lc-content-named">
      <b>{row.title}</b>
      {row.description && <span className="lc-soft">{row.description}</span>}
    </span>
  );
}

function Jump({ row }: { row: Picture }) {
  const { t } = useTranslation();
  if (row.jump_address === '') return <span className="lc-soft">{t('content.jump.none')}</span>;
  return (
    <span className="lc-content-jump">
      <span className="lc-soft">{t(`content.jump.type_${row.jump_type}`)}</span> <Copyable value={row.jump_address} maximum={28} />
    </span>
  );
}

export const pictureColumns = (saveRank: (row: Picture, sort: number) => Promise<unknown>): Column<Picture>[] =>
  columnsOf(api.rotation.inquire, [
    { key: 'title', kind: 'name', width: 240, render: (row) => <Named row={row} /> },
    { key: 'picture_url', title: 'common.field.picture', width: 130, card: 'field', render: (row) => <Thumbnail row={row} /> },
    { key: 'type_name', title: 'content.type', width: 130, card: 'field' },
    { key: 'enabled', kind: 'enabled', yes: 'common.shown', no: 'content.hidden' },
    { key: 'sort', kind: 'rank', node: 'rotation.update', name: ({ title }) => title, save: saveRank },
    { key: 'click_count', kind: 'number', width: 100 },
    {
      key: 'jump_address',
      title: 'content.jump.title',
      width: 260,
      render: (row) => <Jump row={row} />,
      exportValue: (row) => (row.jump_address ? `${translate(`content.jump.type_${row.jump_type}`)} ${row.jump_address}` : ''),
    },
    { key: 'remark' },
    { key: 'description', width: 200, hiddenByDefault: true },
    { key: 'created_at', kind: 'time' },
    { key: 'updated_at', kind: 'time', hiddenByDefault: true },
  ]);
