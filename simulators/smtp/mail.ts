/** A mail as its reader sees it: what nodemailer writes, taken apart. */
export type ReceivedMail = { from: string; to: string[]; subject: string; text: string; id: string; raw: string; at: string };

function decodeQuoted(text: string): Buffer {
  const bytes = text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** Encoded words of a header (RFC 2047); what stands between two of them is only there to break the line. */
function decodeHeader(text: string): string {
  const joined = text.replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1');
  return joined.replace(/=\?([^?]+)\?([BQ])\?([^?]*)\?=/gi, (_, _charset: string, encoding: string, coded: string) =>
    (encoding.toUpperCase() === 'B' ? Buffer.from(coded, 'base64') : decodeQuoted(coded.replaceAll('_', ' '))).toString(),
  );
}

export function readMail(raw: string, envelope: { from: string; to: string[] }): ReceivedMail {
  const end = raw.search(/\r?\n\r?\n/);
  const head = raw.slice(0, end).replace(/\r?\n[ \t]+/g, ' ');
  const body = raw.slice(end).replace(/^\r?\n\r?\n/, '');
  const header = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const encoding = header('content-transfer-encoding').toLowerCase();
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : encoding === 'quoted-printable' ? decodeQuoted(body) : Buffer.from(body);
  return {
    ...envelope,
    subject: decodeHeader(header('subject')),
    text: bytes.toString().replaceAll('\r\n', '\n').trim(),
    id: header('message-id'),
    raw,
    at: new Date().toISOString(),
  };
}
