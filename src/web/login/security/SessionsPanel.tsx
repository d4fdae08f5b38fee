import { Button, Skeleton, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { updatePassword } from '../../../contract/people/update-password.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Failure, Time } from '../../kit/feedback.ts';

type OwnSession = OutputOf<(typeof updatePassword)['calls']['sessions']>['content'][number];

/** Where one is logged in, and a way to end what one doesn't recognise. */
export function SessionsPanel() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { data, error, refetch } = useCall(api.update_password.sessions, {});
  const revoke = useAction(api.update_password.revoke_session);
  const revokeOthers = useAction(api.update_password.revoke_other_sessions);

  async function askToRevoke({ id, device }: OwnSession) {
    const name = device || t('common.unknown');
    const title = t('update_password.sessions.revoke_title', { device: name });
    const question = {
      title,
      content: 'update_password.sessions.revoke_content',
      confirm: 'update_password.sessions.revoke',
      danger: true,
    };
    if (await confirm(question)) await revoke.run({ id });
  }

  async function askToRevokeOthers() {
    const question = {
      title: 'update_password.sessions.revoke_others_title',
      content: 'update_password.sessions.revoke_others_content',
      confirm: 'update_password.sessions.revoke_others',
      danger: true,
    };
    if (await confirm(question)) await revokeOthers.run({});
  }

  if (!data && error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} />;
  return (
    <>
      <ul className="lc-sessions">
        {data.content.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{session.device || t('update_password.sessions.unknown_device')}</strong>
              {session.current && <Tag color="processing">{t('update_password.sessions.current')}</Tag>}
              {session.impersonator_account && (
                <Tag color="warning">{t('update_password.sessions.opened_by', { account: session.impersonator_account })}</Tag>
              )}
              <p className="lc-soft lc-num">
                {session.ip ?? t('common.unknown')} · {t('update_password.sessions.used')} <Time value={session.used_at} /> ·{' '}
                {t('update_password.sessions.created')} <Time value={session.created_at} />
              </p>
            </div>
            {!session.current && (
              <Button type="text" danger onClick={() => void askToRevoke(session)}>
                {t('update_password.sessions.revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.content.length > 1 && (
        <Button danger loading={revokeOthers.isRunning} onClick={() => void askToRevokeOthers()}>
          {t('update_password.sessions.revoke_others')}
        </Button>
      )}
    </>
  );
}
