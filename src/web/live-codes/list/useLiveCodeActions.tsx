import {
  BarChartOutlined,
  BgColorsOutlined,
  ClearOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  FieldTimeOutlined,
  FolderOutlined,
  GlobalOutlined,
  HistoryOutlined,
  LinkOutlined,
  PauseCircleOutlined,
  PictureOutlined,
  PlayCircleOutlined,
  PlusSquareOutlined,
  PrinterOutlined,
  QrcodeOutlined,
  ReloadOutlined,
  RetweetOutlined,
  SafetyOutlined,
  ScissorOutlined,
  ShareAltOutlined,
  SlidersOutlined,
  SwapOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { type CodePagePart, codePage } from '../../kit/CodeLink.tsx';
import { useSession } from '../../kit/calls/session.tsx';
import type { CodesScreen } from '../../kit/codes/codesScreen.ts';
import { useCopy } from '../../kit/feedback.ts';
import type { BatchAction, RowAction } from '../../kit/ListPage.tsx';
import { useQrDownload } from '../design/useQrDownload.ts';
import { actNodes } from './nodes.ts';
import { useCodeChanges } from './useCodeChanges.ts';
import type { Dialog, OpenDialog, SelectedCode } from './useDialogs.ts';

type Codes = readonly SelectedCode[];

/** The menu of a row has its acts under these titles. */
const groups = ['code', 'figures', 'settings', 'danger'] as const;
const groupTitle = (group: (typeof groups)[number]) => `qr_code.menu.${group}`;
const places: readonly (string | undefined)[] = [undefined, ...groups.map(groupTitle)];

/** What can be done to one code, to the selected ones, or to both; `visible` and `disabled` are asked of the one. */
type Act = Pick<RowAction<LiveCode>, 'key' | 'icon' | 'node' | 'danger' | 'visible' | 'disabled' | 'group'> & {
  label: string;
  one?: (code: LiveCode) => unknown;
  many?: (codes: Codes) => Promise<boolean> | undefined;
};

const label = (act: string) => `qr_code_list.actions.${act}`;
const lacksUrl = (code: LiveCode) => code.url === null;

/** Acts that lead to the code's page, or only take something from it. */
function useLooks(open: OpenDialog, screen: CodesScreen): Act[] {
  const navigate = useNavigate();
  const copy = useCopy();
  const { mayChange } = useSession();
  const { download } = useQrDownload();
  const nodes = actNodes[screen];
  const to = (part?: CodePagePart) => ({ one: ({ id }: LiveCode) => navigate(codePage(id, part)) });
  const [code, figures, settings] = groups.map(groupTitle);
  return [
    { key: 'page', label: 'qr_code.view', icon: <QrcodeOutlined />, ...to() },
    { key: 'edit', label: 'qr_code.part.settings', icon: <EditOutlined />, node: nodes.edit, visible: mayChange, ...to('settings') },
    {
      key: 'download',
      label: 'common.download',
      icon: <DownloadOutlined />,
      node: nodes.print,
      disabled: lacksUrl,
      one: (row) => download(row),
    },
    { key: 'link', label: label('copy_link'), icon: <LinkOutlined />, group: code, disabled: lacksUrl, one: ({ url }) => copy(url ?? '') },
    {
      key: 'image_link',
      label: label('copy_image_link'),
      icon: <PictureOutlined />,
      group: code,
      disabled: lacksUrl,
      one: ({ qr_image_url }) => copy(qr_image_url ?? ''),
    },
    { key: 'design', label: label('design'), icon: <BgColorsOutlined />, group: code, one: (row) => open({ kind: 'design', code: row }) },
    {
      key: 'statistics',
      label: label('statistics'),
      icon: <BarChartOutlined />,
      group: figures,
      node: nodes.statistics,
      ...to('statistics'),
    },
    { key: 'ip', label: label('visitors'), icon: <TeamOutlined />, group: figures, node: nodes.visitors, ...to('visitors') },
    {
      key: 'share',
      label: label('share'),
      icon: <ShareAltOutlined />,
      group: figures,
      node: nodes.share,
      visible: mayChange,
      one: (row) => open({ kind: 'share', code: row }),
    },
    { key: 'versions', label: 'code_version.history', icon: <HistoryOutlined />, group: settings, ...to('history') },
    {
      key: 'copy',
      label: 'set_qr_code.duplicate',
      icon: <CopyOutlined />,
      group: settings,
      node: nodes.copy,
      one: ({ id }) => navigate(`/customer/set_qr_code?copy=${id}`),
    },
  ];
}

/** Acts that change codes, in the order in which selections offer them. */
function useChanges(open: OpenDialog, screen: CodesScreen): Act[] {
  const navigate = useNavigate();
  const change = useCodeChanges();
  const { mayChange } = useSession();
  const nodes = actNodes[screen];
  const isAdministration = screen === 'qr_code_list_admin';
  const isLimited = (code: LiveCode) => mayChange(code) && code.remaining !== null;
  const isVisited = (code: LiveCode) => mayChange(code) && code.view_number !== 0;
  const dialogOfAll = (kind: Extract<Dialog, { codes: Codes }>['kind']) => (codes: Codes) => open({ kind, codes });
  const both = (many: NonNullable<Act['many']>) => ({ one: (code: LiveCode) => many([code]), many, visible: mayChange });
  const [code, , settings, danger] = groups.map(groupTitle);

  /** The screen of short links opens its form with these codes. */
  function makeShortLinks(codes: Codes): undefined {
    const labelOf = ({ id, name, file_name }: SelectedCode) => (name === undefined ? `#${id}` : `${name} (${file_name})`);
    const make_for = codes.map((one) => ({ value: one.id, label: labelOf(one) }));
    void navigate('/customer/short_code', { state: { make_for } });
  }
  const setting = (key: string, icon: ReactNode, node: NodeKey, kind: Parameters<typeof dialogOfAll>[0], words = label(key)): Act => ({
    key,
    label: words,
    icon,
    node,
    group: settings,
    ...both(dialogOfAll(kind)),
  });

  return [
    { key: 'open', label: label('open'), icon: <PlayCircleOutlined />, node: nodes.open, many: change.open },
    { key: 'close', label: label('close'), icon: <PauseCircleOutlined />, node: nodes.open, many: change.close },
    setting('domain', <GlobalOutlined />, nodes.domain, 'domain'),
    setting('restriction', <SafetyOutlined />, nodes.restriction, 'restriction'),
    {
      key: 'refill',
      label: label('refill'),
      icon: <ReloadOutlined />,
      node: nodes.refill,
      group: settings,
      visible: isLimited,
      one: change.refill,
    },
    { key: 'log', label: label('log'), icon: <FieldTimeOutlined />, node: nodes.log, many: dialogOfAll('log') },
    {
      key: 'replace_targets',
      label: 'qr_code_list.targets.replace',
      icon: <RetweetOutlined />,
      node: nodes.batch,
      many: dialogOfAll('replace_targets'),
    },
    {
      key: 'add_target',
      label: 'qr_code_list.targets.add',
      icon: <PlusSquareOutlined />,
      node: nodes.batch,
      many: dialogOfAll('add_target'),
    },
    { key: 'batch', label: label('batch'), icon: <SlidersOutlined />, node: nodes.batch, many: dialogOfAll('batch') },
    {
      ...setting('print', <PrinterOutlined />, nodes.print, 'print', 'print_sheet.action'),
      group: code,
      visible: (row) => !lacksUrl(row),
    },
    { key: 'look', label: 'qr_design.apply', icon: <BgColorsOutlined />, node: nodes.batch, many: dialogOfAll('look') },
    { key: 'export', label: 'common.export.title', icon: <DownloadOutlined />, node: nodes.export, many: dialogOfAll('export') },
    isAdministration
      ? setting('group', <FolderOutlined />, nodes.group, 'internal_group', 'group.move_internal')
      : setting('group', <FolderOutlined />, nodes.group, 'group', 'group.move'),
    ...(isAdministration ? [setting('transfer', <SwapOutlined />, 'qr_code_list_admin.transfer', 'transfer')] : []),
    { key: 'short', label: label('short'), icon: <ScissorOutlined />, node: 'short_code.add', group: code, ...both(makeShortLinks) },
    {
      key: 'clear',
      label: label('clear'),
      icon: <ClearOutlined />,
      node: nodes.clear,
      group: danger,
      danger: true,
      ...both(change.clear),
      visible: isVisited,
    },
    {
      key: 'remove',
      label: label('remove'),
      icon: <DeleteOutlined />,
      node: nodes.remove,
      group: danger,
      danger: true,
      ...both(change.remove),
    },
  ];
}

/** What the list of codes offers for its rows and its selected rows. */
export function useLiveCodeActions(
  open: OpenDialog,
  screen: CodesScreen = 'qr_code_list',
): { row: RowAction<LiveCode>[]; batch: BatchAction<LiveCode>[] } {
  const acts = [...useLooks(open, screen), ...useChanges(open, screen)];
  const ofRows = acts.toSorted((one, other) => places.indexOf(one.group) - places.indexOf(other.group));
  return {
    row: ofRows.flatMap(({ one, many: _many, ...act }) => (one ? { ...act, onClick: (code: LiveCode) => void one(code) } : [])),
    batch: acts.flatMap(({ one: _one, many, visible: _visible, disabled: _disabled, group: _group, ...act }) =>
      many ? { ...act, byId: true as const, onClick: many } : [],
    ),
  };
}
