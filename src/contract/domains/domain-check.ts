import { z } from 'zod';
import { blockStatus } from '../enums.ts';
import { time } from '../kit/fields.ts';

/**
 * Where a name points: to this site, only partly, to somewhere else, to nothing at all; unknown while the site's own addresses are not set,
 * failed where no name server answered.
 */
export const dnsStates = ['here', 'partly', 'elsewhere', 'nothing', 'unknown', 'failed'] as const;
export type DnsState = (typeof dnsStates)[number];

/** `none`: nothing on port 443 speaks TLS. */
export const certificateStates = ['valid', 'expired', 'mismatch', 'untrusted', 'none'] as const;
export type CertificateState = (typeof certificateStates)[number];

/**
 * Why a domain should not be put on codes: a messenger blocks it, its name does not lead to this site, or browsers warn of its certificate.
 */
export const domainRisks = ['blocked', 'elsewhere', 'certificate'] as const;
export type DomainRisk = (typeof domainRisks)[number];

type Checked = {
  block_status: number | null;
  dns_state: DnsState | null;
  certificate_state: CertificateState | null;
  certificate_expires_at: string | null;
};
/**
 * What was never checked is no risk.
 * @param scheme of links to codes: without TLS nobody looks at a certificate
 */
export function riskOf(domain: Checked, scheme: 'http' | 'https', now = new Date()): DomainRisk | undefined {
  const { block_status, dns_state, certificate_state, certificate_expires_at: until } = domain;
  if (block_status === blockStatus.blocked) return 'blocked';
  if (dns_state === 'elsewhere' || dns_state === 'nothing') return 'elsewhere';
  if (scheme === 'http' || certificate_state === null) return undefined;
  return certificate_state !== 'valid' || (until !== null && Date.parse(until) <= now.getTime()) ? 'certificate' : undefined;
}

/** A certificate that ends within so many days is shown as ending soon. */
export const certificateWarningDays = 14;

/** A registration that ends within so many days is shown and told of as ending. */
export const registrationWarningDays = 60;

/**
 * Why a registry named no expiry when it was asked: it knows no such name, or there is no RDAP for its ending; it keeps the date to itself;
 * it was asked too often; it gave no answer, or none that can be read.
 */
export const registrationFaults = ['not_found', 'no_date', 'limited', 'unreachable', 'unreadable'] as const;
export type RegistrationFault = (typeof registrationFaults)[number];

/** Who says when a registration ends. */
export const registrationSources = ['rdap', 'typed'] as const;

export const recordsFound = z.object({
  a: z.array(z.string()),
  aaaa: z.array(z.string()),
  cname: z.array(z.string()),
  /** What the resolver said where it failed, such as `ETIMEOUT`; `address_not_allowed` where some addresses are not told. */
  error: z.string().nullable(),
});
export type RecordsFound = z.infer<typeof recordsFound>;

export const certificateFound = z.object({
  /** The address that was asked; empty where none may be. */
  address: z.string(),
  issuer: z.string(),
  subject: z.string(),
  names: z.array(z.string()),
  valid_from: time.nullable(),
  /** Why there is none, or why it isn't trusted: a code of the TLS library or of the network. */
  error: z.string().nullable(),
});
export type CertificateFound = z.infer<typeof certificateFound>;

/** `ALIAS` (ANAME, a flattened CNAME) is what some providers offer where a zone's own name has to follow another one. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'ALIAS'] as const;

/** A DNS record that a domain needs: for one name the A and AAAA records together, or the CNAME record instead of them. */
export const neededRecord = z.object({
  /** Punycode, without a trailing dot: the name below which it is added is `zone`. */
  name: z.string(),
  zone: z.string(),
  type: z.enum(recordTypes),
  value: z.string(),
  /** Whether the record was there when the domain was checked. */
  present: z.boolean(),
});
export type NeededRecord = z.infer<typeof neededRecord>;
