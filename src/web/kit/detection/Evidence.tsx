import { useTranslation } from 'react-i18next';
import type { DetectorAnswer, DetectorKind, Finding } from '../../../contract/detection/detectors.ts';
import { Copyable, Empty, Status, type StatusKind, Time } from '../feedback.ts';
import { useFormat } from '../texts/format.ts';
import './detection.css';

const answerKinds: Record<DetectorAnswer, StatusKind> = { normal: 'success', blocked: 'error', down: 'error', failed: 'warning' };
const detectorKindLabel = (kind: DetectorKind): string => `we_chat_blocking_detection_configuration.kind.${kind}`;

/** What a detector answered, as a status in words. */
export const answerStatus = (answer: DetectorAnswer) => ({ kind: answerKinds[answer], label: `domain_monitor.answer.${answer}` });

/** What detectors found about one address, one after another: what a verdict stands on. */
export function Evidence({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return <Empty picture="search" title="domain_monitor.finding.none" help="domain_monitor.finding.none_help" />;
  return (
    <ul className="lc-findings">
      {findings.map((finding) => (
        <li key={`${finding.detector} ${finding.at}`}>
          <FoundBy finding={finding} />
        </li>
      ))}
    </ul>
  );
}

/** What one detector found. */
export function FoundBy({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <div className="lc-finding-head">
        <b>{finding.detector}</b>
        <Status {...answerStatus(finding.answer)} />
        <span className="lc-soft lc-num">
          {t(detectorKindLabel(finding.kind))} · {t('domain_monitor.milliseconds', { number: format.exact(finding.duration_ms) })} ·{' '}
          <Time value={finding.at} />
        </span>
      </div>
      <FindingFacts finding={finding} />
    </>
  );
}

/** The parts of a finding that there are; none where a detector had nothing to say. */
function FindingFacts({ finding: { request, hops, status, title, text, error } }: { finding: Finding }) {
  const { t } = useTranslation();
  const facts = [
    error !== null && (['error', <span key="error">{error}</span>] as const),
    request !== null &&
      (['request', <Copyable key="request" value={request.url} text={`${request.method} ${request.url}`} maximum={500} code />] as const),
    hops.length > 0 && (['hops', <Hops key="hops" hops={hops} />] as const),
    hops.length === 0 && status !== null && (['status', <span key="status">{status}</span>] as const),
    Boolean(title) && (['title', <span key="title">{title}</span>] as const),
    Boolean(text) && (['text', <pre key="text">{text}</pre>] as const),
  ].filter((fact) => fact !== false);
  if (facts.length === 0) return null;
  return (
    <dl className="lc-facts">
      {facts.map(([name, shown]) => (
        <div key={name}>
          <dt>{t(`domain_monitor.finding.${name}`)}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  );
}

function Hops({ hops }: { hops: Finding['hops'] }) {
  return (
    <ol className="lc-hops">
      {hops.map(({ url, status }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chain that leads in a circle comes by an address again.
        <li key={`${at} ${url}`}>
          <span className="lc-num lc-soft">{status}</span> <span className="lc-code">{url}</span>
        </li>
      ))}
    </ol>
  );
}
