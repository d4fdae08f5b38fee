import { Image } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Picture } from '../../contract/content/rotation.ts';
import { Copyable, Num, Status, Time } from '../kit/feedback.ts';
import type { Column } from '../kit/ListPage.tsx';
import { RankCell } from '../kit/list/RankCell.tsx';
import { translate } from '../kit/texts/i18n.ts';

/** A small picture that opens large. */
function Thumbnail({ row }: { row: Picture }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the picture inside.
    <span onClick={(event) => event.stopPropagation()}>
      <Image className="content-thumb" src={row.picture_url} alt={row.title} width={96} height={40} loading="lazy" />
    </span>
  );
}

function Named({ row }: { row: Picture }) {
  return (
    <span className="content-named">
      <b>{row.title}</b>
      {row.description && <span className="lc-soft">{row.description}</span>}
    </span>
  );
}

function Jump({ row }: { row: Picture }) {
  const { t } = useTranslation();
  if (row.jump_address === '') return <span className="lc-soft">{t('content.jump.none')}</span>;
  return (
    <span className="content-jump">
      <span className="lc-soft">{t(`content.jump.type_${row.jump_type}`)}</span> <Copyable value={row.jump_address} maximum={28} />
    </span>
  );
}

export const enabledLabel = (row: { enabled: boolean }) => (row.enabled ? 'content.shown' : 'content.hidden');

export function pictureColumns(save: (id: number, sort: number) => Promise<unknown>): Column<Picture>[] {
  return [
    { key: 'title', title: 'content.title', sortable: true, width: 240, card: 'title', render: (row) => <Named row={row} /> },
    {
      key: 'picture_url',
      title: 'content.picture',
      width: 130,
      card: 'field',
      render: (row) => <Thumbnail row={row} />,
      exportValue: (row) => row.picture_url,
    },
    { key: 'type_name', title: 'content.type', width: 130, card: 'field' },
    {
      key: 'enabled',
      title: 'content.state',
      width: 100,
      card: 'aside',
      render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={enabledLabel(row)} />,
      exportValue: enabledLabel,
    },
    {
      key: 'sort',
      title: 'content.sort',
      sortable: true,
      align: 'right',
      width: 120,
      card: 'field',
      render: (row) => <RankCell value={row.sort} name={row.title} node="rotation.update" save={(sort) => save(row.id, sort)} />,
    },
    {
      key: 'click_count',
      title: 'content.clicks',
      sortable: true,
      align: 'right',
      width: 100,
      card: 'field',
      render: (row) => <Num value={row.click_count} />,
    },
    {
      key: 'jump_address',
      title: 'content.jump.title',
      width: 260,
      render: (row) => <Jump row={row} />,
      exportValue: (row) => (row.jump_address ? `${translate(`content.jump.type_${row.jump_type}`)} ${row.jump_address}` : ''),
    },
    { key: 'remark', title: 'content.remark', width: 180 },
    { key: 'description', title: 'content.description', width: 200, hiddenByDefault: true },
    { key: 'created_at', title: 'content.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
    {
      key: 'updated_at',
      title: 'content.updated_at',
      sortable: true,
      width: 140,
      hiddenByDefault: true,
      render: (row) => <Time value={row.updated_at} />,
    },
  ];
}
