import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useDocumentTitle } from '../kit/feedback.ts';
import { Brand } from '../kit/shell/Brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../kit/shell/switches.tsx';
import { inZone, useFormat } from '../kit/texts/format.ts';
import { HourBars } from './HourBars.tsx';
import './share.css';

const pollMilliseconds = 5_000;

type Shared = OutputOf<(typeof qrCodeList)['calls']['share_access']>;

/** The public statistics of one code, for whoever has its name and password. */
export function ShareAccessPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [file_name, password] = [params.get('name') ?? '', params.get('password') ?? ''];
  const isAsked = file_name !== '' && password !== '';
  const answer = useCall(
    api.qr_code_list.share_access,
    { file_name, password },
    { enabled: isAsked, refetchInterval: pollMilliseconds, placeholderData: undefined },
  );
  const name = answer.data ? answer.data.name || String(answer.data.id) : '';
  useDocumentTitle(name || t('share_access.title'));
  // A refusal (another password, a code that is gone) ends what was shown; a cut connection only says that it is no longer live.
  const isRefused = answer.error !== null && answer.error.status >= 400 && answer.error.status < 500 && answer.error.status !== 429;
  const isBroken = !isAsked || isRefused || (answer.isError && !answer.data);

  return (
    <div className="share">
      <header className="share-top">
        <Brand />
        <div>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main className="share-main">
        {isBroken ? (
          <p className="share-fault" role="alert">
            {t('share_access.fault')}
          </p>
        ) : (
          <Figures name={name} answer={answer.data} isCut={answer.isError} updatedAt={answer.dataUpdatedAt} />
        )}
      </main>
    </div>
  );
}

type FiguresProps = { name: string; answer: Shared | undefined; isCut: boolean; updatedAt: number };

function Figures({ name, answer, isCut, updatedAt }: FiguresProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  if (!answer) return <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 6 }} />;
  return (
    <>
      <p className="share-kind">{t('share_access.title')}</p>
      <h1 className="share-name">{name}</h1>
      <dl className="share-figures">
        <Figure label={t('share_access.visits')} value={answer.view_number} today={answer.today_view_number} />
        <Figure label={t('share_access.ips')} value={answer.ip_view_number} today={answer.today_ip_view_number} />
      </dl>
      <HourBars points={answer.series} now={updatedAt} />
      <p className={isCut ? 'share-state share-state-cut' : 'share-state'} aria-live="polite">
        <i className={isCut ? 'share-dot share-dot-cut' : 'share-dot'} aria-hidden />
        {isCut ? t('share_access.fault') : t('share_access.live')}
        <time dateTime={new Date(updatedAt).toISOString()}>{inZone(updatedAt, timeZone).format('HH:mm:ss')}</time>
      </p>
    </>
  );
}

function Figure({ label, value, today }: { label: string; value: number; today: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="share-figure">
      <dt className="share-figure-label">{label}</dt>
      <dd className="share-figure-value">
        <b className="share-figure-number">{format.exact(value)}</b>
        <span className="share-figure-today">
          {t('share_access.today')} {format.exact(today)}
        </span>
      </dd>
    </div>
  );
}
