import sanitizeHtml from 'sanitize-html';
import { alignedTags, alignmentClass, alignments, richLink, richPicture, richTags } from '../../contract/kit/rich-text.ts';
import { invalidField } from '../kit/calls/errors.ts';

/** Deeper than anybody writes, shallow enough for every reader. */
const deepest = 20;

const classes = alignments.map(alignmentClass);

const options: sanitizeHtml.IOptions = {
  allowedTags: [...richTags],
  allowedAttributes: { a: ['href', 'target', 'rel'], img: ['src', 'alt', 'title', 'width', 'height'], ol: ['start'] },
  allowedClasses: Object.fromEntries(alignedTags.map((tag) => [tag, classes])),
  // Addresses are checked below by one pattern, which is stricter than a list of schemes.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: deepest,
  parseStyleAttributes: false,
  transformTags: {
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '' }) => ({ tagName, attribs: linkOf(href) }),
    img: (tagName, { src = '', alt = '', title, width, height }) => ({
      tagName,
      attribs: { src, alt, ...(title ? { title } : {}), ...sizeOf('width', width), ...sizeOf('height', height) },
    }),
    ol: (tagName, { start }) => ({ tagName, attribs: sizeOf('start', start) }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !richPicture.test(attribs.src ?? ''),
};

const linkOf = (href: string): Record<string, string> =>
  richLink.test(href) ? { href, target: href.startsWith('#') ? '_self' : '_blank', rel: 'noopener noreferrer nofollow' } : {};

const sizeOf = (name: string, value: string | undefined): Record<string, string> =>
  value && /^\d{1,4}$/.test(value) ? { [name]: value } : {};

/**
 * Rich text with nothing in it but what the contract lists: no scripts, styles, handlers, frames, foreign pictures or other schemes.
 * @throws AppError 400 on `path` where the clean text is longer than `max` characters
 */
export function cleanRichText(html: string, max: number, path: string): string {
  const clean = sanitizeHtml(html, options).trim();
  if (clean.length > max) throw invalidField(path, 'too_long');
  return isBlank(clean) ? '' : clean;
}

/** Only empty paragraphs: what an editor leaves behind when everything was deleted. */
const isBlank = (clean: string): boolean => !/<(?:img|hr)\b/.test(clean) && plainText(clean) === '';

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The words of clean rich text in one line. In clean text every angle bracket belongs to a tag. */
export const plainText = (clean: string): string =>
  clean
    .replace(/<\/?(?:strong|em|u|s|code|a)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
