/** Schemes that run or read something on the visitor's device: no setting can allow them. */
const forbiddenSchemes = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'data',
  'blob',
  'file',
  'filesystem',
  'content',
  'about',
  'view-source',
  'jar',
  'mhtml',
  'resource',
  'chrome',
  'chrome-extension',
  'moz-extension',
]);

const maxJumpUrl = 4096;
/** Blanks, controls, invisible format characters, lone surrogates and the backslash, which browsers read as a slash. */
const refusedCharacters = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;
const schemePattern = /^([a-z][a-z0-9+.-]*):(.+)$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here.
const removedCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/g;
const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text for an element or a quoted attribute. Control characters are dropped, and so are bidirectional overrides,
 * with which a name could turn around the words of the page beside it.
 */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(removedCharacters, '')
    .replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');

/**
 * Code for a script element, as the browser will read it: line ends normalised and without the two sequences that would
 * end the element early (`\/` and `\!` mean the same inside a JavaScript string). A CSP hash is taken of this result.
 */
export const scriptForHtml = (code: string): string =>
  code
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u0000', '')
    .replace(/<(?=\/script)/gi, '<\\')
    .replaceAll('<!--', '<\\!--');

/** The scheme in lower case, or null where the text is not `scheme:something`. */
export const schemeOf = (url: string): string | null => schemePattern.exec(url)?.[1]?.toLowerCase() ?? null;

const isWebAddress = (url: string): boolean => {
  if (!/^https?:\/\/[^/?#]/i.test(url)) return false;
  const parsed = URL.parse(url);
  return parsed !== null && parsed.hostname !== '' && parsed.username === '' && parsed.password === '';
};

/**
 * Whether a visitor may be sent to this address: http and https with a host and without credentials, or one of the app schemes
 * of the settings (`weixin`, `alipays:` or `tel://`, in any case). Scripts and local data are refused whatever the settings name.
 */
export const isAllowedJumpUrl = (url: string, extraSchemes: readonly string[]): boolean => {
  if (url.length > maxJumpUrl || refusedCharacters.test(url)) return false;
  const scheme = schemeOf(url);
  if (scheme === null || forbiddenSchemes.has(scheme)) return false;
  if (scheme === 'http' || scheme === 'https') return isWebAddress(url);
  return extraSchemes.some(
    (extra) =>
      extra
        .trim()
        .replace(/:(\/\/)?$/, '')
        .toLowerCase() === scheme,
  );
};

/** An address for a link or picture of our own pages: a path on this host or a web address; anything else is null. */
export const pageAddress = (url: string): string | null => {
  const isPath = /^\/(?!\/)/.test(url) && !refusedCharacters.test(url);
  return isPath || isAllowedJumpUrl(url, []) ? url : null;
};
