import { RollbackOutlined } from '@ant-design/icons';
import { Button, Pagination, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CodeVersion, maxVersions } from '../../../contract/codes/code-version.ts';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Empty, Failure, Time } from '../../kit/feedback.ts';
import { useLeftOut } from '../../kit/undo/LeftOut.tsx';
import { useDone } from '../../kit/undo/useDone.tsx';
import { ChangeLines } from './ChangeLines.tsx';
import './versions.css';

type VersionListProps = {
  code: Pick<LiveCode, 'id' | 'owner_id' | 'removed'>;
  /** Only so many of the newest; without it all, page by page. */
  newest?: number;
};

const pageSize = 20;

/** How a code came to be what it is: every change with the user who made it, and the way back to each. */
export function VersionList({ code, newest }: VersionListProps) {
  const { t } = useTranslation();
  const done = useDone();
  const confirm = useConfirm();
  const tellLeftOut = useLeftOut();
  const { allows, mayChange } = useSession();
  const [page, setPage] = useState(1);
  const size = newest ?? pageSize;
  const found = useCall(api.qr_code_list.versions, { id: code.id, page, page_size: size }, { staleTime: 0 });
  const restore = useAction(api.qr_code_list.restore_version, {
    success: false,
    invalidates: ['group'],
    onSuccess: ({ left_out }) => {
      setPage(1);
      tellLeftOut(left_out);
    },
  });
  /** Goes to a version, and offers the one that stood before as the way back. */
  async function goTo(version: number, former?: number) {
    const restored = await restore.run({ id: code.id, version });
    const takeBack = former === undefined ? undefined : () => void goTo(former, version);
    if (restored?.left_out.length === 0) void done(t('code_version.restored', { number: version }), takeBack);
    return restored;
  }
  const holdsNode = allows('qr_code_list.update') || allows('set_qr_code.save') || allows('qr_code_list_admin.update');
  const mayRestore = holdsNode && !code.removed && mayChange(code);

  function ask(version: CodeVersion) {
    void confirm({
      title: t('code_version.restore_title', { number: version.version }),
      content: 'code_version.restore_content',
      confirm: 'menu.button.restore',
      run: () => goTo(version.version, versions.find(({ current }) => current)?.version),
    });
  }
  const versions = found.data?.content ?? [];
  if (found.isError && !found.data) return <Failure error={found.error} retry={() => void found.refetch()} isRetrying={found.isFetching} />;
  if (!found.data) return <Skeleton active paragraph={{ rows: newest ?? 8 }} />;
  if (versions.length === 0) return <Empty title="code_version.empty" help="code_version.empty_help" />;
  return (
    <>
      <ol className="lc-code-versions" aria-busy={found.isFetching}>
        {versions.map((version) => (
          <VersionItem
            key={version.version}
            version={version}
            onRestore={mayRestore && !version.current ? () => ask(version) : undefined}
          />
        ))}
      </ol>
      {newest === undefined && found.data.total > pageSize && (
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
      {newest === undefined && <p className="lc-soft lc-code-versions-kept">{t('code_version.kept', { count: maxVersions })}</p>}
    </>
  );
}

function VersionItem({ version, onRestore }: { version: CodeVersion; onRestore?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const who = version.impersonator_account
    ? t('code_version.as', { impersonator: version.impersonator_account, account: version.user_account })
    : version.user_account;
  return (
    <li className="lc-code-version">
      <div className="lc-code-version-head">
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
            {t('menu.button.restore')}
          </Button>
        )}
      </div>
      <ChangeLines version={version} />
    </li>
  );
}
