import { Extension } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { Placeholder } from '@tiptap/extensions';
import StarterKit from '@tiptap/starter-kit';
import { type Alignment, alignmentClass, alignments, richLink } from '../../../contract/kit/rich-text.ts';

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    align: {
      /** Aligns the paragraphs and headings of the selection; null is the reading direction's own side. */
      align: (to: Alignment | null) => ReturnType;
    };
  }
}

const alignable = ['paragraph', 'heading'];

function alignmentOf(element: HTMLElement): Alignment | null {
  const named = alignments.find(
    (alignment) => element.classList.contains(alignmentClass(alignment)) || element.style.textAlign === alignment,
  );
  return named ?? null;
}

/** Alignment as a class: what is stored has no styles at all. */
const Align = Extension.create({
  name: 'align',
  addGlobalAttributes: () => [
    {
      types: alignable,
      attributes: {
        align: {
          default: null,
          parseHTML: alignmentOf,
          renderHTML: ({ align }) => (align ? { class: alignmentClass(align as Alignment) } : {}),
        },
      },
    },
  ],
  addCommands: () => ({
    align:
      (to) =>
      ({ commands }) =>
        alignable.map((type) => commands.updateAttributes(type, { align: to })).some(Boolean),
  }),
});

/** Only pictures that were uploaded here; pasted ones from elsewhere are left out, as the server would. */
const Picture = Image.extend({ parseHTML: () => [{ tag: 'img[src^="/file/"]' }] });

export const extensionsWith = (placeholder: string) => [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => richLink.test(url),
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: null },
    },
  }),
  Align,
  Picture,
  Placeholder.configure({ placeholder }),
];
