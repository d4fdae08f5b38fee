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
  MobileOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PrinterOutlined,
  QrcodeOutlined,
  ReloadOutlined,
  SafetyOutlined,
  ScissorOutlined,
  ShareAltOutlined,
  SlidersOutlined,
  SwapOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import { useNavigate } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useCopy } from '../../kit/feedback.ts';
import type { BatchAction, RowAction } from '../../kit/ListPage.tsx';
import { actNodes, type CodesScreen } from './nodes.ts';
import { useCodeChanges } from './useCodeChanges.ts';
import type { Dialog, OpenDialog, SelectedCode } from './useDialogs.ts';

type Codes = readonly SelectedCode[];

/** What can be done to one code, to the selected ones, or to both; `visible` and `disabled` are asked of the one. */
type Act = Pick<RowAction<LiveCode>, 'key' | 'icon' | 'node' | 'danger' | 'visible' | 'disabled'> & {
  label: string;
  one?: (code: LiveCode) => unknown;
  many?: (codes: Codes) => Promise<boolean> | undefined;
};

/** The acts in the order in which rows and selections offer them, each for the holders of its node. */
function useActs(open: OpenDialog, screen: CodesScreen): Act[] {
  const navigate = useNavigate();
  const copy = useCopy();
  const change = useCodeChanges();
  const { mayChange } = useSession();
  const nodes = actNodes[screen];
  const isAdministration = screen === 'qr_code_list_admin';
  const lacksUrl = (code: LiveCode) => code.url === null;
  const isLimited = (code: LiveCode) => mayChange(code) && code.remaining !== null;
  const isVisited = (code: LiveCode) => mayChange(code) && code.view_number > 0;
  const edit = (query: string) => navigate(`/customer/set_qr_code?${query}`);
  const dialog = (kind: Extract<Dialog, { code: LiveCode }>['kind']) => ({ one: (code: LiveCode) => open({ kind, code }) });
  const dialogOfAll = (kind: Extract<Dialog, { codes: Codes }>['kind']) => (codes: Codes) => open({ kind, codes });
  const both = (many: NonNullable<Act['many']>) => ({ one: (code: LiveCode) => many([code]), many, visible: mayChange });

  const transfer: Act = {
    key: 'transfer',
    label: 'qr_code_list.actions.transfer',
    icon: <SwapOutlined />,
    node: 'qr_code_list_admin.transfer',
    one: (code) => open({ kind: 'transfer', codes: [code] }),
    many: dialogOfAll('transfer'),
  };
  /** The screen of short links opens its form with these codes. */
  function makeShortLinks(codes: Codes): undefined {
    const label = ({ id, name, file_name }: SelectedCode) => (name === undefined ? `#${id}` : `${name} (${file_name})`);
    const make_for = codes.map((code) => ({ value: code.id, label: label(code) }));
    void navigate('/customer/short_code', { state: { make_for } });
  }

  const label = (act: string) => `qr_code_list.actions.${act}`;
  return [
    { key: 'edit', label: 'common.edit', icon: <EditOutlined />, node: nodes.edit, visible: mayChange, one: ({ id }) => edit(`id=${id}`) },
    { key: 'statistics', label: label('statistics'), icon: <BarChartOutlined />, node: nodes.statistics, ...dialog('statistics') },
    { key: 'link', label: label('copy_link'), icon: <LinkOutlined />, disabled: lacksUrl, one: (code) => copy(code.url ?? '') },
    { key: 'design', label: label('design'), icon: <QrcodeOutlined />, ...dialog('design') },
    { key: 'test', label: 'set_qr_code.test.title', icon: <MobileOutlined />, disabled: lacksUrl, ...dialog('test') },
    { key: 'share', label: label('share'), icon: <ShareAltOutlined />, node: nodes.share, visible: mayChange, ...dialog('share') },
    { key: 'ip', label: label('visitors'), icon: <TeamOutlined />, node: nodes.visitors, ...dialog('visitors') },
    { key: 'copy', label: 'set_qr_code.duplicate', icon: <CopyOutlined />, node: nodes.copy, one: ({ id }) => edit(`copy=${id}`) },
    { key: 'open', label: label('open'), icon: <PlayCircleOutlined />, node: nodes.open, many: change.open },
    { key: 'close', label: label('close'), icon: <PauseCircleOutlined />, node: nodes.open, many: change.close },
    { key: 'domain', label: label('domain'), icon: <GlobalOutlined />, node: nodes.domain, ...both(dialogOfAll('domain')) },
    {
      key: 'restriction',
      label: label('restriction'),
      icon: <SafetyOutlined />,
      node: nodes.restriction,
      ...both(dialogOfAll('restriction')),
    },
    { key: 'refill', label: label('refill'), icon: <ReloadOutlined />, node: nodes.refill, visible: isLimited, one: change.refill },
    { key: 'versions', label: 'code_version.history', icon: <HistoryOutlined />, ...dialog('versions') },
    { key: 'log', label: label('log'), icon: <FieldTimeOutlined />, node: nodes.log, many: dialogOfAll('log') },
    { key: 'batch', label: label('batch'), icon: <SlidersOutlined />, node: nodes.batch, many: dialogOfAll('batch') },
    { key: 'print', label: 'print_sheet.action', icon: <PrinterOutlined />, node: nodes.print, many: dialogOfAll('print') },
    { key: 'look', label: 'qr_design.apply', icon: <BgColorsOutlined />, node: nodes.batch, many: dialogOfAll('look') },
    { key: 'export', label: 'common.export.title', icon: <DownloadOutlined />, node: nodes.export, many: dialogOfAll('export') },
    {
      key: 'group',
      label: isAdministration ? 'group.move_internal' : 'group.move',
      icon: <FolderOutlined />,
      node: nodes.group,
      ...both(dialogOfAll(isAdministration ? 'internal_group' : 'group')),
    },
    ...(isAdministration ? [transfer] : []),
    { key: 'short', label: label('short'), icon: <ScissorOutlined />, node: 'short_code.add', ...both(makeShortLinks) },
    {
      key: 'clear',
      label: label('clear'),
      icon: <ClearOutlined />,
      node: nodes.clear,
      danger: true,
      ...both(change.clear),
      visible: isVisited,
    },
    { key: 'remove', label: label('remove'), icon: <DeleteOutlined />, node: nodes.remove, danger: true, ...both(change.remove) },
  ];
}

/** What the list of codes offers for its rows and its selected rows. */
export function useLiveCodeActions(
  open: OpenDialog,
  screen: CodesScreen = 'qr_code_list',
): { row: RowAction<LiveCode>[]; batch: BatchAction<LiveCode>[] } {
  const acts = useActs(open, screen);
  return {
    row: acts.flatMap(({ one, many: _many, ...act }) => (one ? { ...act, onClick: (code: LiveCode) => void one(code) } : [])),
    batch: acts.flatMap(({ one: _one, many, visible: _visible, disabled: _disabled, ...act }) =>
      many ? { ...act, byId: true as const, onClick: many } : [],
    ),
  };
}
