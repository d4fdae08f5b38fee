import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** DER (X.690): a tag, a length, and what is inside. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const organisation = '55040a';
const commonName = '550403';
const subjectAltName = '551d11';

const nameOf = (attributes: [string, string][]) =>
  sequence(...attributes.map(([type, value]) => der(0x31, sequence(oid(type), der(0x0c, Buffer.from(value))))));
/** GeneralizedTime, for any year. */
const time = (moment: Date) => der(0x18, Buffer.from(`${moment.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

/** A certificate that signs itself (RFC 5280), with a fresh key, as PEM. */
export function makeCertificate({ names, from, until }: { names: readonly string[]; from: Date; until: Date }): {
  key: string;
  cert: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf([
    [organisation, 'Livecode Tests'],
    [commonName, names[0] ?? ''],
  ]);
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid(subjectAltName), der(0x04, alternatives)))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
