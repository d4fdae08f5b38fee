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
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { copyText } from '../../kit/feedback/Copyable.tsx';
import type { BatchAction, RowAction } from '../../kit/ListPage.tsx';
import { useUndo } from '../versions/useUndo.tsx';
import { actNodes, type CodesScreen } from './nodes.ts';
import type { OpenDialog, SelectedCode } from './useDialogs.ts';
import { useMayChange } from './useMayChange.ts';

const idsOf = (codes: readonly SelectedCode[]) => codes.map((code) => code.id);

/** What can be done to one code and to the selected ones, each act for the holders of its node. */
export function useLiveCodeActions(
  open: OpenDialog,
  screen: CodesScreen = 'qr_code_list',
): { row: RowAction<LiveCode>[]; batch: BatchAction<LiveCode>[] } {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { allows } = useSession();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const nodes = actNodes[screen];
  const groupDialog = screen === 'qr_code_list' ? 'group' : 'internal_group';
  const undo = useUndo();
  const update = useAction(api.qr_code_list.update_open, {
    success: false,
    onSuccess: ({ change_id }) => undo.offer('common.success', change_id),
  });
  const remove = useAction(api.qr_code_list.update_remove, {
    success: false,
    invalidates: ['group'],
    onSuccess: ({ change_id }) => undo.offer('qr_code_list.remove.done', change_id),
  });
  const clear = useAction(api.qr_code_access.clear, { success: 'qr_code_list.clear.done', invalidates: ['qr_code_list', 'recover'] });
  const refill = useAction(api.qr_code_list.refill, { success: 'qr_code_list.refill.done' });

  async function copyLink(code: LiveCode) {
    try {
      await copyText(code.url ?? '');
      void message.success(t('common.copied'));
    } catch {
      void message.error(t('common.copy_failed'));
    }
  }

  /** The act's question, for one code by its name and for several by their number; then the act. */
  async function askTo(act: 'remove' | 'refill' | 'close' | 'clear', codes: readonly SelectedCode[], run: () => Promise<unknown>) {
    const [first] = codes;
    const title =
      codes.length === 1 && first?.name !== undefined
        ? t(`qr_code_list.${act}.title`, { name: first.name })
        : t(`qr_code_list.${act}.title_many`, { count: codes.length });
    let result: unknown;
    const options = { title, content: `qr_code_list.${act}.content`, confirm: `qr_code_list.${act}.confirm`, danger: act !== 'refill' };
    const isAgreed = await confirm({
      ...options,
      run: async () => {
        result = await run();
      },
    });
    return isAgreed && result !== undefined;
  }
  const askToRemove = (codes: readonly SelectedCode[]) => askTo('remove', codes, () => remove.run({ ids: idsOf(codes), removed: true }));
  const askToRefill = (code: LiveCode) => askTo('refill', [code], () => refill.run({ id: code.id }));
  const askToClose = (codes: readonly SelectedCode[]) => askTo('close', codes, () => update.run({ ids: idsOf(codes), open: false }));
  const askToClear = (codes: readonly SelectedCode[]) => askTo('clear', codes, () => clear.run({ ids: idsOf(codes) }));
  const openCodes = async (codes: readonly SelectedCode[]) => (await update.run({ ids: idsOf(codes), open: true })) !== undefined;

  /** The screen of short links opens its form with these codes. */
  function makeShortLinks(codes: readonly SelectedCode[]): undefined {
    const make_for = codes.map(({ id, name, file_name }) => ({
      value: id,
      label: name === undefined ? `#${id}` : `${name} (${file_name})`,
    }));
    void navigate('/customer/short_code', { state: { make_for } });
  }

  const row: RowAction<LiveCode>[] = [
    {
      key: 'edit',
      label: 'common.edit',
      icon: <EditOutlined />,
      node: nodes.edit,
      visible: mayChange,
      onClick: (code) => void navigate(`/customer/set_qr_code?id=${code.id}`),
    },
    {
      key: 'statistics',
      label: 'qr_code_list.actions.statistics',
      icon: <BarChartOutlined />,
      node: nodes.statistics,
      onClick: (code) => void open({ kind: 'statistics', code }),
    },
    {
      key: 'link',
      label: 'qr_code_list.actions.copy_link',
      icon: <LinkOutlined />,
      disabled: (code) => code.url === null,
      onClick: (code) => void copyLink(code),
    },
    {
      key: 'design',
      label: 'qr_code_list.actions.design',
      icon: <QrcodeOutlined />,
      onClick: (code) => void open({ kind: 'design', code }),
    },
    {
      key: 'test',
      label: 'set_qr_code.test.title',
      icon: <MobileOutlined />,
      disabled: (code) => code.url === null,
      onClick: (code) => void open({ kind: 'test', code }),
    },
    {
      key: 'share',
      label: 'qr_code_list.actions.share',
      icon: <ShareAltOutlined />,
      node: nodes.share,
      visible: mayChange,
      onClick: (code) => void open({ kind: 'share', code }),
    },
    {
      key: 'ip',
      label: 'qr_code_list.actions.visitors',
      icon: <TeamOutlined />,
      node: nodes.visitors,
      onClick: (code) => void open({ kind: 'visitors', code }),
    },
    {
      key: 'copy',
      label: 'set_qr_code.duplicate',
      icon: <CopyOutlined />,
      node: nodes.copy,
      onClick: (code) => void navigate(`/customer/set_qr_code?copy=${code.id}`),
    },
    {
      key: 'domain',
      label: 'qr_code_list.actions.domain',
      icon: <GlobalOutlined />,
      node: nodes.domain,
      visible: mayChange,
      onClick: (code) => void open({ kind: 'domain', codes: [code] }),
    },
    {
      key: 'restriction',
      label: 'qr_code_list.actions.restriction',
      icon: <SafetyOutlined />,
      node: nodes.restriction,
      visible: mayChange,
      onClick: (code) => void open({ kind: 'restriction', codes: [code] }),
    },
    {
      key: 'refill',
      label: 'qr_code_list.actions.refill',
      icon: <ReloadOutlined />,
      node: nodes.refill,
      visible: (code) => mayChange(code) && code.remaining !== null,
      onClick: (code) => void askToRefill(code),
    },
    {
      key: 'versions',
      label: 'code_version.history',
      icon: <HistoryOutlined />,
      onClick: (code) => void open({ kind: 'versions', code }),
    },
    {
      key: 'group',
      label: screen === 'qr_code_list' ? 'group.move' : 'group.move_internal',
      icon: <FolderOutlined />,
      node: nodes.group,
      visible: mayChange,
      onClick: (code) => void open({ kind: groupDialog, codes: [code] }),
    },
    ...(screen === 'qr_code_list_admin'
      ? [
          {
            key: 'transfer',
            label: 'qr_code_list.actions.transfer',
            icon: <SwapOutlined />,
            node: 'qr_code_list_admin.transfer' as const,
            onClick: (code: LiveCode) => void open({ kind: 'transfer', codes: [code] }),
          },
        ]
      : []),
    {
      key: 'short',
      label: 'qr_code_list.actions.short',
      icon: <ScissorOutlined />,
      node: 'short_code.add',
      visible: mayChange,
      onClick: (code) => makeShortLinks([code]),
    },
    {
      key: 'clear',
      label: 'qr_code_list.actions.clear',
      icon: <ClearOutlined />,
      node: nodes.clear,
      danger: true,
      visible: (code) => mayChange(code) && code.view_number > 0,
      onClick: (code) => void askToClear([code]),
    },
    {
      key: 'remove',
      label: 'qr_code_list.actions.remove',
      icon: <DeleteOutlined />,
      node: nodes.remove,
      danger: true,
      visible: mayChange,
      onClick: (code) => void askToRemove([code]),
    },
  ];

  const mayOpen = allows(nodes.open);
  const batch: BatchAction<LiveCode>[] = [
    ...(mayOpen
      ? [
          { key: 'open', label: 'qr_code_list.actions.open', icon: <PlayCircleOutlined />, byId: true as const, onClick: openCodes },
          { key: 'close', label: 'qr_code_list.actions.close', icon: <PauseCircleOutlined />, byId: true as const, onClick: askToClose },
        ]
      : []),
    {
      key: 'domain',
      label: 'qr_code_list.actions.domain',
      icon: <GlobalOutlined />,
      node: nodes.domain,
      byId: true,
      onClick: (codes) => open({ kind: 'domain', codes }),
    },
    {
      key: 'restriction',
      label: 'qr_code_list.actions.restriction',
      icon: <SafetyOutlined />,
      node: nodes.restriction,
      byId: true,
      onClick: (codes) => open({ kind: 'restriction', codes }),
    },
    {
      key: 'log',
      label: 'qr_code_list.actions.log',
      icon: <FieldTimeOutlined />,
      node: nodes.log,
      byId: true,
      onClick: (codes) => open({ kind: 'log', codes }),
    },
    {
      key: 'batch',
      label: 'qr_code_list.actions.batch',
      icon: <SlidersOutlined />,
      node: nodes.batch,
      byId: true,
      onClick: (codes) => open({ kind: 'batch', codes }),
    },
    {
      key: 'print',
      label: 'print_sheet.action',
      icon: <PrinterOutlined />,
      node: nodes.print,
      byId: true,
      onClick: (codes) => open({ kind: 'print', codes }),
    },
    {
      key: 'look',
      label: 'qr_design.apply',
      icon: <BgColorsOutlined />,
      node: nodes.batch,
      byId: true,
      onClick: (codes) => open({ kind: 'look', codes }),
    },
    {
      key: 'export',
      label: 'common.export.title',
      icon: <DownloadOutlined />,
      node: nodes.export,
      byId: true,
      onClick: (codes) => open({ kind: 'export', codes }),
    },
    {
      key: 'group',
      label: screen === 'qr_code_list' ? 'group.move' : 'group.move_internal',
      icon: <FolderOutlined />,
      node: nodes.group,
      byId: true,
      onClick: (codes) => open({ kind: groupDialog, codes }),
    },
    ...(screen === 'qr_code_list_admin'
      ? [
          {
            key: 'transfer',
            label: 'qr_code_list.actions.transfer',
            icon: <SwapOutlined />,
            node: 'qr_code_list_admin.transfer' as const,
            byId: true as const,
            onClick: (codes: readonly SelectedCode[]) => open({ kind: 'transfer', codes }),
          },
        ]
      : []),
    {
      key: 'short',
      label: 'qr_code_list.actions.short',
      icon: <ScissorOutlined />,
      node: 'short_code.add',
      byId: true,
      onClick: async (codes) => makeShortLinks(codes),
    },
    {
      key: 'clear',
      label: 'qr_code_list.actions.clear',
      icon: <ClearOutlined />,
      node: nodes.clear,
      danger: true,
      byId: true,
      onClick: askToClear,
    },
    {
      key: 'remove',
      label: 'qr_code_list.actions.remove',
      icon: <DeleteOutlined />,
      node: nodes.remove,
      danger: true,
      byId: true,
      onClick: askToRemove,
    },
  ];
  return { row, batch };
}
