import { Alert, Skeleton } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShieldPreview as Result } from '../../contract/detection/shield-configuration.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Failure, Status, Time } from '../kit/feedback.ts';
import { RemoteSelect } from '../kit/form/RemoteSelect.tsx';
import { hostLabel, hostName, hostOption } from '../kit/host.ts';
import { remoteOptions } from '../kit/options.ts';
import { useFormat } from '../kit/texts/format.ts';

const domainOptions = remoteOptions(api.domain_list.inquire, (host) => ({ host, page_size: 20 }), hostOption);

/** "If this domain were blocked now": choose it, and read what would happen. */
export function ShieldPreview({ asked, onClose }: { asked: number | null; onClose: () => void }) {
  const { t } = useTranslation();
  const fieldId = useId();
  const [domain_id, setDomain] = useState(asked);
  const known = useCall(api.domain_list.details, { id: asked ?? 0 }, { enabled: asked !== null });
  const isChosen = domain_id !== null;
  const result = useCall(
    api.shield_configuration.preview,
    { domain_id: domain_id ?? 0 },
    { enabled: isChosen, placeholderData: undefined },
  );
  return (
    <Drawer open size={720} title={t('shield_configuration.preview.title')} onClose={onClose}>
      <p className="lc-soft">{t('shield_configuration.preview.help')}</p>
      <label className="lc-shield-label" htmlFor={fieldId}>
        {t('domain_list.host')}
      </label>
      <RemoteSelect
        id={fieldId}
        className="lc-wide"
        source={domainOptions}
        clearable={false}
        value={domain_id}
        known={known.data ? [hostOption(known.data)] : []}
        placeholder={t('shield_configuration.preview.choose')}
        onChange={(value) => setDomain(typeof value === 'number' ? value : null)}
      />
      <div className="lc-shield-result" aria-live="polite">
        {isChosen && result.isPending && <Skeleton active paragraph={{ rows: 4 }} />}
        {result.error && <Failure error={result.error} retry={() => void result.refetch()} isRetrying={result.isFetching} />}
        {isChosen && result.data && <Answer result={result.data} />}
      </div>
    </Drawer>
  );
}

const kinds = { replaced: 'success', paused: 'warning', waiting: 'error', left: 'info' } as const;

function Answer({ result }: { result: Result }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { handling, reason, steps, next_attempt_at, paused_codes, staying_conflicts, staying_foreign } = result;
  const from = hostLabel(result);
  const to = steps.map(hostName).join(t('common.comma'));
  const stays = [
    ...(staying_conflicts > 0 ? [t('domain_list.replace.conflicts', { number: exact(staying_conflicts) })] : []),
    ...(staying_foreign > 0 ? [t('domain_list.replace.foreign', { number: exact(staying_foreign) })] : []),
  ];
  return (
    <>
      <Alert
        type={kinds[handling]}
        showIcon
        title={t(`shield_configuration.preview.${handling}`, { from, to, number: exact(paused_codes), count: paused_codes })}
        description={
          reason && (
            <>
              <p>{t(`domain_list.failover.reason.${reason}`)}</p>
              {next_attempt_at && (
                <p>
                  {t('shield_configuration.next_attempt_at')}: <Time value={next_attempt_at} exact />
                </p>
              )}
            </>
          )
        }
      />
      <Standing result={result} />
      {steps.length > 0 && <Steps result={result} />}
      {stays.length > 0 && <List title={t('shield_configuration.preview.stays')} lines={stays} />}
      <Limits result={result} />
      {result.unfit.length > 0 && <Unfit result={result} />}
    </>
  );
}

function List({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <>
      <h3 className="lc-shield-title">{title}</h3>
      <ul className="lc-shield-lines">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function useCounts() {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (counts: { live_codes: number; short_codes: number; forwards: number }): string => {
    const words = (['live_codes', 'short_codes', 'forwards'] as const).flatMap((name) =>
      counts[name] > 0 ? t(`shield_configuration.count.${name}`, { number: exact(counts[name]), count: counts[name] }) : [],
    );
    return words.length > 0 ? words.join(' · ') : t('shield_configuration.count.none');
  };
}

function Standing({ result }: { result: Result }) {
  const { t } = useTranslation();
  const counts = useCounts();
  return <List title={t('shield_configuration.preview.now')} lines={[counts(result)]} />;
}

/** Where codes would go: before and after. */
function Steps({ result }: { result: Result }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const counts = useCounts();
  return (
    <>
      <h3 className="lc-shield-title">{t('shield_configuration.preview.steps')}</h3>
      <ul className="lc-shield-steps">
        {result.steps.map((step) => {
          const more = [
            ...(step.owners > 1 ? [t('domain_list.replace.owners', { number: exact(step.owners) })] : []),
            ...(step.removed_live_codes > 0 ? [t('shield_configuration.count.removed', { number: exact(step.removed_live_codes) })] : []),
            ...(step.staying_forwards > 0 ? [t('domain_list.replace.staying_forwards', { number: exact(step.staying_forwards) })] : []),
          ];
          return (
            <li key={step.domain_id}>
              <span className="lc-code">
                {hostName(result)} → {hostName(step)}
              </span>
              <span>
                {counts(step)}
                {step.pool && <span className="lc-soft"> · {t('domain_list.pool')}</span>}
              </span>
              {more.length > 0 && <span className="lc-soft">{more.join(' · ')}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Limits({ result: { rule, pool, steps } }: { result: Result }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const isPool = pool || steps.some((step) => step.pool);
  const lines = [
    t(`shield_configuration.preview.rule_${rule.scope}`),
    t('shield_configuration.preview.used', { used: exact(rule.used), number: exact(rule.max_per_hour) }),
    ...(isPool && !pool
      ? [t('shield_configuration.preview.pool_used', { used: exact(rule.pool_used), number: exact(rule.pool_max_per_hour) })]
      : []),
  ];
  return <List title={t('shield_configuration.preview.limits')} lines={lines} />;
}

/** Why the other domains of the type are no choice. */
function Unfit({ result }: { result: Result }) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className="lc-shield-title">{t('shield_configuration.preview.unfit')}</h3>
      <ul className="lc-shield-steps">
        {result.unfit.map((row) => (
          <li key={row.domain_id} className="lc-shield-unfit">
            <span className="lc-code">{hostName(row)}</span>
            {row.pool && <span className="lc-soft">{t('domain_list.pool')}</span>}
            <Status kind="neutral" label={`shield_configuration.unfit.${row.reason}`} />
          </li>
        ))}
      </ul>
    </>
  );
}
