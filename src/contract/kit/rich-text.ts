import { text } from './fields.ts';

/** What rich text is made of, in the editor, on the server's way in and on the browser's way out. Whatever else is written is left out. */
export const richTags = [
  ...['p', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br'],
  ...['strong', 'em', 'u', 's', 'code', 'a', 'img'],
] as const;
export const alignedTags = ['p', 'h2', 'h3', 'h4'] as const;
export const alignments = ['center', 'right'] as const;
export type Alignment = (typeof alignments)[number];
export const alignmentClass = (alignment: Alignment): string => `align-${alignment}`;

/** Only pictures that were uploaded here: one from elsewhere would tell its server who reads, and may change under our name. */
export const richPicture = /^\/file\/[0-9a-f]{32}\.(?:jpg|png|webp)$/;
/** Addresses of links: the web, mail, telephone, and screens of this app. */
export const richLink = /^(?:https?:\/\/[^\s/]|mailto:[^\s]|tel:[+\d]|#\/)/i;

/** HTML of the parts above. What is stored is what the server made of it. */
export const richText = (max: number) => text(max);
