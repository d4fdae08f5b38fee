import { Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { SharedCode } from '../../contract/codes/share.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useDocumentTitle } from '../kit/feedback.ts';
import { Art } from '../kit/look/art/Art.tsx';
import { PublicPage } from '../kit/shell/PublicPage.tsx';
import { inZone, useFormat } from '../kit/texts/format.ts';
import { HourBars } from './HourBars.tsx';
import { KeyVisits } from './KeyVisits.tsx';
import './share.css';

const pollMilliseconds = 5_000;

/** The public statistics of one code, for a visitor with its name and password. */
export function ShareAccessPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const isCast = params.get('tv') === '1';
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
    <PublicPage className={isCast ? 'share lc-share-tv' : 'share'}>
      <main className="lc-share-main">
        {isBroken ? (
          <div className="lc-share-fault" role="alert">
            <Art name="road" />
            <p>{t('errors.share.not_available')}</p>
          </div>
        ) : (
          <>
            <Figures name={name} answer={answer.data} isCut={answer.isError} updatedAt={answer.dataUpdatedAt} />
            {answer.data && (
              <CastButton isCast={isCast} onChange={(cast) => setParams((now) => castParams(now, cast), { replace: true })} />
            )}
          </>
        )}
      </main>
    </PublicPage>
  );
}

/** The page's address for a screen on the wall, or back: it keeps name and password. */
function castParams(params: URLSearchParams, cast: boolean): URLSearchParams {
  const next = new URLSearchParams(params);
  if (cast) next.set('tv', '1');
  else next.delete('tv');
  return next;
}

/** Large and dark for a screen on the wall; the browser's own full screen where it has one. */
function CastButton({ isCast, onChange }: { isCast: boolean; onChange: (cast: boolean) => void }) {
  const { t } = useTranslation();
  function change() {
    const screen = isCast ? document.fullscreenElement && document.exitFullscreen() : document.documentElement.requestFullscreen?.();
    Promise.resolve(screen).catch(() => {});
    onChange(!isCast);
  }
  return (
    <Button className="lc-share-cast" type="text" onClick={change}>
      {t(isCast ? 'share_access.cast_end' : 'share_access.cast')}
    </Button>
  );
}

type FiguresProps = { name: string; answer: SharedCode | undefined; isCut: boolean; updatedAt: number };

function Figures({ name, answer, isCut, updatedAt }: FiguresProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  if (!answer) return <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 6 }} />;
  return (
    <>
      <header className="lc-share-titled">
        <div>
          <p className="lc-share-kind">{t('share_access.title')}</p>
          <h1 className="lc-share-name">{name}</h1>
        </div>
        <Art name="share" className="lc-share-art" />
      </header>
      <Days from={answer.from} to={answer.to} />
      {answer.is_locked && <p role="status">{t('share_access.locked')}</p>}
      <dl className="lc-share-figures">
        <Figure label={t('common.field.visits')} value={answer.view_number} today={answer.today_view_number} />
        <Figure label={t('share_access.ips')} value={answer.ip_view_number} today={answer.today_ip_view_number} />
      </dl>
      {answer.series && <HourBars points={answer.series} now={updatedAt} />}
      {answer.by_key && <KeyVisits visits={answer.by_key} />}
      <p className={isCut ? 'lc-share-state lc-share-state-cut' : 'lc-share-state'} aria-live="polite">
        <i className={isCut ? 'lc-share-dot lc-share-dot-cut' : 'lc-share-dot'} aria-hidden />
        {isCut ? t('errors.share.not_available') : t('common.live')}
        <time dateTime={new Date(updatedAt).toISOString()}>{inZone(updatedAt, timeZone).format('HH:mm:ss')}</time>
      </p>
    </>
  );
}

/** The days that are counted, where the owner chose some. */
function Days({ from, to }: { from: string | null; to: string | null }) {
  const { t } = useTranslation();
  if (from === null && to === null) return null;
  return <p className="lc-share-days">{t('share_access.days', { from: from ?? '…', to: to ?? t('common.field.today') })}</p>;
}

function Figure({ label, value, today }: { label: string; value: number | null; today: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (value === null) return null;
  return (
    <div className="lc-share-figure">
      <dt className="lc-share-figure-label">{label}</dt>
      <dd className="lc-share-figure-value">
        <b className="lc-share-figure-number">{format.exact(value)}</b>
        {today !== null && (
          <span className="lc-share-figure-today">
            {t('common.field.today')} {format.exact(today)}
          </span>
        )}
      </dd>
    </div>
  );
}
