import { RollbackOutlined } from '@ant-design/icons';
import { App, Button, Pagination, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CodeVersion, maximumVersions } from '../../../contract/codes/code-version.ts';
import type { LiveCode, LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Empty, Failure, Time } from '../../kit/feedback.ts';
import { ChangeLines } from './ChangeLines.tsx';
import { useLeftOut } from './LeftOut.tsx';
import './versions.css';

type VersionsDrawerProps = {
  code: Pick<LiveCode, 'id' | 'name' | 'owner_id' | 'removed'>;
  /** The code as it is after a version was restored. */
  onRestored?: (code: LiveCodeDetails) => void;
  onClose: () => void;
};

const pageSize = 20;

/** How a code came to be what it is: every change with who made it, and the way back to each. */
export function VersionsDrawer({ code, onRestored, onClose }: VersionsDrawerProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const tellLeftOut = useLeftOut();
  const { user, allows } = useSession();
  const [page, setPage] = useState(1);
  const found = useCall(api.qr_code_list.versions, { id: code.id, page, page_size: pageSize }, { staleTime: 0 });
  const restore = useAction(api.qr_code_list.restore_version, {
    success: false,
    invalidates: ['group'],
    onSuccess(output) {
      setPage(1);
      onRestored?.(output.code);
      if (output.left_out.length === 0) void message.success(t('code_version.restored'));
      tellLeftOut(output.left_out);
    },
  });
  const isAdministrator = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  const holdsNode = allows('qr_code_list.update') || allows('set_qr_code.save') || allows('qr_code_list_admin.update');
  const mayRestore = holdsNode && !code.removed && (isAdministrator || code.owner_id === user?.id);

  function ask(version: CodeVersion) {
    void confirm({
      title: t('code_version.restore_title', { number: version.version }),
      content: 'code_version.restore_content',
      confirm: 'code_version.restore',
      run: () => restore.run({ id: code.id, version: version.version }),
    });
  }
  const versions = found.data?.content ?? [];
  return (
    <Drawer open title={t('code_version.title', { name: code.name })} size={640} onClose={onClose}>
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} isRetrying={found.isFetching} />}
      {found.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {found.data && versions.length === 0 && <Empty title="code_version.empty" help="code_version.empty_help" />}
      <ol className="code-versions" aria-busy={found.isFetching}>
        {versions.map((version) => (
          <VersionItem
            key={version.version}
            version={version}
            onRestore={mayRestore && !version.current ? () => ask(version) : undefined}
          />
        ))}
      </ol>
      {found.data && found.data.total > pageSize && (
        <Pagination
          size="small"
          align="end"
          current={page}
          pageSize={pageSize}
          total={found.data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
      {versions.length > 0 && <p className="lc-soft code-versions-kept">{t('code_version.kept', { count: maximumVersions })}</p>}
    </Drawer>
  );
}

function VersionItem({ version, onRestore }: { version: CodeVersion; onRestore?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const who = version.impersonator_account
    ? t('code_version.as', { impersonator: version.impersonator_account, account: version.user_account })
    : version.user_account;
  return (
    <li className="code-version">
      <div className="code-version-head">
        <b>{t(`code_version.actions.${version.action}`)}</b>
        {version.current && <Tag color="success">{t('code_version.current')}</Tag>}
        <span className="lc-soft">
          {who && `${who} · `}
          <Time value={version.at} />
        </span>
        {onRestore && (
          <Button
            size="small"
            icon={<RollbackOutlined />}
            onClick={onRestore}
            aria-label={t('code_version.restore_of', { number: version.version })}
          >
            {t('code_version.restore')}
          </Button>
        )}
      </div>
      <ChangeLines version={version} />
    </li>
  );
}
