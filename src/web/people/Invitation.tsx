import { CopyOutlined, DownloadOutlined } from '@ant-design/icons';
import { App, Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { defaultQrDesign } from '../../qr/design.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Failure, Num, useCopy } from '../kit/feedback.ts';
import { useSite } from '../kit/site.tsx';
import { downloadQr } from '../qr/download.ts';
import { QrImage } from '../qr/QrImage.tsx';
import { useInvitationLink } from './useInvitationLink.ts';

/** How an agent brings customers: his link, the same to scan, and how many came. */
export function Invitation() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const copy = useCopy();
  const { admin_register } = useSite();
  const linkOf = useInvitationLink();
  const { data, error, refetch, isFetching } = useCall(api.user_customer.invitation, {});
  if (!data && error) return <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />;
  if (!data)
    return (
      <div className="lc-panel lc-customers-invitation">
        <Skeleton.Node active style={{ width: 112, height: 112 }} />
        <Skeleton active title={{ width: 120 }} paragraph={{ rows: 2, width: ['80%', '40%'] }} />
      </div>
    );
  const { invitation_code, customers, joined_this_month } = data;
  const link = invitation_code === null ? null : linkOf(invitation_code);

  async function download(text: string) {
    try {
      await downloadQr(text, defaultQrDesign, 'png', t('user_customer.file_name'));
    } catch {
      void message.error(t('user_customer.download_failed'));
    }
  }

  return (
    <section className="lc-panel lc-customers-invitation" aria-label={t('user_customer.invitation')}>
      {link !== null && <QrImage text={link} alt={t('user_customer.qr_alt')} width={112} className="lc-customers-qr" />}
      {link !== null && (
        <div className="lc-customers-words">
          <h2>{t('user_customer.invitation')}</h2>
          <p className="lc-soft">{t(admin_register ? 'user_customer.help' : 'user_customer.closed')}</p>
          <span className="lc-code lc-customers-link">{link}</span>
          <div className="lc-customers-actions">
            <Button size="small" type="primary" icon={<CopyOutlined />} onClick={() => void copy(link)}>
              {t('user_list.copy_invitation')}
            </Button>
            <Button size="small" icon={<DownloadOutlined />} onClick={() => void download(link)}>
              {t('menu.button.download')}
            </Button>
          </div>
        </div>
      )}
      <dl className="lc-customers-figures">
        <div>
          <dt>{t('user_customer.customers')}</dt>
          <dd>
            <Num value={customers} />
          </dd>
        </div>
        <div>
          <dt>{t('user_customer.joined_this_month')}</dt>
          <dd>
            <Num value={joined_this_month} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
