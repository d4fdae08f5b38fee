import { checkServerIdentity, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { CertificateFound, CertificateState } from '../../../contract/domains/domain-check.ts';
import { guardedConnect } from '../../kit/network/guarded-connect.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';

const maxMilliseconds = 6000;
const maxNames = 20;
const maxTextLength = 200;

export type CertificateCheck = { state: CertificateState; certificate: CertificateFound | null; expires_at: string | null };

type Options = { network: GuardedNetwork; now: Date; port?: number };

/**
 * Shakes hands with the first of these addresses that may be called, naming the host as a browser does, and reads the certificate that is
 * shown. Nothing is sent, and a faulty certificate is read as well as a good one.
 */
export async function checkCertificate(
  name: string,
  addresses: readonly string[],
  { network, now, port = 443 }: Options,
): Promise<CertificateCheck> {
  const address = addresses.find((ip) => network.allows(ip));
  if (address === undefined) {
    // Not the address itself: what an inside name stands for is not for those who type names.
    return addresses.length === 0 ? nothing(null) : nothing({ ...unread(''), error: 'address_not_allowed' });
  }
  try {
    return await handshake(name, address, { network, now, port });
  } catch (error) {
    return nothing({ ...unread(address), error: textOf((error as NodeJS.ErrnoException).code ?? 'EFAILED') });
  }
}

const unread = (address: string): CertificateFound => ({ address, issuer: '', subject: '', names: [], valid_from: null, error: null });
const nothing = (certificate: CertificateFound | null): CertificateCheck => ({ state: 'none', certificate, expires_at: null });

async function handshake(name: string, address: string, { network, now, port }: Required<Options>): Promise<CertificateCheck> {
  const tls = { servername: name, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
  const socket = await guardedConnect(network, { host: address, port, milliseconds: maxMilliseconds, tls });
  try {
    return judge(name, address, socket, now);
  } finally {
    socket.destroy();
  }
}

function judge(name: string, address: string, socket: TLSSocket, now: Date): CertificateCheck {
  const shown: Partial<DetailedPeerCertificate> = socket.getPeerCertificate();
  const from = momentOf(shown.valid_from);
  const until = momentOf(shown.valid_to);
  const fault = socket.authorizationError as unknown;
  const certificate: CertificateFound = {
    address,
    issuer: textOf(shown.issuer?.O ?? shown.issuer?.CN),
    subject: textOf(shown.subject?.CN),
    names: (shown.subjectaltname ?? '')
      .split(', ')
      .filter((entry) => entry.startsWith('DNS:'))
      .slice(0, maxNames)
      .map((entry) => textOf(entry.slice(4))),
    valid_from: from,
    error: socket.authorized ? null : textOf(fault instanceof Error ? ((fault as NodeJS.ErrnoException).code ?? fault.message) : fault),
  };
  return { state: stateOf(name, shown, { until, now, isTrusted: socket.authorized }), certificate, expires_at: until };
}

type Facts = { until: string | null; now: Date; isTrusted: boolean };

function stateOf(name: string, shown: Partial<DetailedPeerCertificate>, { until, now, isTrusted }: Facts): CertificateState {
  if (until !== null && Date.parse(until) <= now.getTime()) return 'expired';
  // A wildcard of a wildcard is asked for by a name below it, which the certificate has to cover.
  if (checkServerIdentity(name, shown as DetailedPeerCertificate) !== undefined) return 'mismatch';
  return isTrusted ? 'valid' : 'untrusted';
}

function momentOf(text: string | undefined): string | null {
  const milliseconds = Date.parse(text ?? '');
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : null;
}

/** What a stranger's certificate says: one line, short, and nothing that could not be stored. */
const textOf = (value: unknown): string =>
  String(Array.isArray(value) ? value[0] : (value ?? ''))
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, maxTextLength);
