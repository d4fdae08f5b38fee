import DOMPurify, { type Config } from 'dompurify';
import { useMemo } from 'react';
import { alignedTags, alignmentClass, alignments, richLink, richPicture, richTags } from '../../../contract/kit/rich-text.ts';
import './rich-text.css';

const allowed: Config = {
  ALLOWED_TAGS: [...richTags],
  ALLOWED_ATTR: ['href', 'target', 'rel', 'src', 'alt', 'title', 'width', 'height', 'start', 'class'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};
const classes = new Set(alignments.map(alignmentClass));
const aligned = new Set<string>(alignedTags);

let purifier: ReturnType<typeof DOMPurify> | undefined;

/** An instance of our own, so that its rules reach nobody else's use of the library. */
function purify(html: string): string {
  if (!purifier) {
    purifier = DOMPurify(window);
    purifier.addHook('afterSanitizeAttributes', keepToRules);
  }
  return purifier.sanitize(html, allowed);
}

/** What a list of names can't say: which classes, which addresses, and that a link takes nothing of ours along. */
function keepToRules(node: Element): void {
  const tag = node.tagName.toLowerCase();
  if (!aligned.has(tag) || ![...node.classList].every((name) => classes.has(name))) node.removeAttribute('class');
  if (tag === 'a') {
    const href = node.getAttribute('href') ?? '';
    if (!richLink.test(href)) node.removeAttribute('href');
    else if (!href.startsWith('#')) node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  if (tag === 'img') {
    if (!richPicture.test(node.getAttribute('src') ?? '')) node.remove();
    node.setAttribute('loading', 'lazy');
  }
}

/** Rich text as its readers see it. The server cleaned it when it was written; it is cleaned once more where it becomes part of a page. */
export function RichText({ html, className }: { html: string; className?: string }) {
  const clean = useMemo(() => purify(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this is the one place for it, right after the purifier.
  return <div className={className ? `lc-rich ${className}` : 'lc-rich'} dangerouslySetInnerHTML={{ __html: clean }} />;
}
