import type { DetectorConfig } from '../../../contract/detection/detectors.ts';
import { isDevelopmentName, nameOf } from '../../domains/checks.public.ts';
import { type Asked, type Asking, failureOf, type OpenDetector, type Said } from './asking.ts';
import type { StoredFinding } from './findings.ts';
import { askGateway, gatewayUrl } from './gateway.ts';
import { askApi } from './http-api.ts';
import { askDns, askHttp, askTls, isNamed } from './itself.ts';

/** Names that RFC 2606 and 6761 keep free for examples and tests: nobody outside knows anything about them. */
const reserved = /(^|\.)(example|test|invalid|localhost|local|internal)$|(^|\.)example\.(com|net|org)$/;

const isOwnMachine = (url: string): boolean => URL.canParse(url) && isDevelopmentName(new URL(url).hostname);

/**
 * Whether a detector may be asked about a host. Hosts for trying the product out, and names that are nobody's, are told to no one
 * outside: only to a detector that stands on a development host itself, such as a simulator.
 */
export function mayAsk(config: DetectorConfig, host: string, asking: Pick<Asking, 'settings'>): boolean {
  const name = nameOf(host);
  if (!isDevelopmentName(name) && !reserved.test(name)) return !(config.kind === 'dns' || config.kind === 'tls') || isNamed(host);
  if (config.kind === 'gateway') return isOwnMachine(gatewayUrl(config, asking));
  return config.kind === 'http_api' && isOwnMachine(config.url);
}

function say(detector: OpenDetector, asked: Asked, asking: Asking): Promise<Said> {
  const { config } = detector;
  switch (config.kind) {
    case 'gateway':
      return askGateway({ ...detector, config }, asked, asking);
    case 'http_api':
      return askApi({ ...detector, config }, asked, asking);
    case 'dns':
      return askDns({ ...detector, config }, asked, asking);
    case 'tls':
      return askTls({ ...detector, config }, asked, asking);
    case 'http':
      return askHttp({ ...detector, config }, asked, asking);
  }
}

/** Asks a detector about an address. Whatever goes wrong on the way is a finding, too: that it could not tell. */
export async function ask(detector: OpenDetector, asked: Asked, asking: Asking): Promise<StoredFinding> {
  const startedAt = performance.now();
  const at = asking.now().toISOString();
  const said = await within(say(detector, asked, asking), detector.timeout_ms).catch(
    (error: unknown): Said => ({
      answer: 'failed',
      error: failureOf(error),
    }),
  );
  return {
    detector_id: detector.id,
    detector: detector.name,
    kind: detector.config.kind,
    request: null,
    hops: [],
    status: null,
    title: null,
    text: null,
    error: null,
    ...said,
    at,
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

/** Name servers and handshakes have times of their own. */
function within(work: Promise<Said>, milliseconds: number): Promise<Said> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Said>((resolve) => {
    timer = setTimeout(() => resolve({ answer: 'failed', error: { key: 'detection.timeout' } }), milliseconds + 250);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
