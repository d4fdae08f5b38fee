import { serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jumpTypes } from '../../../contract/enums.ts';
import { pageLanguages } from '../pages/texts.ts';
import { renderJump } from '../testing/pages.ts';
import { joined } from './send.ts';
import { createJumpPages } from './templates.ts';

describe('a jump page drawn from a template', () => {
  it('is the page drawn for its target, byte by byte', () => {
    const fromTemplate = createJumpPages();
    const title = fc.oneof(
      fc.constantFrom('', 'a', 'title', '<b>&"', '加微信', 'title-c41d8a07e', '$1 $& $`'),
      fc.string({ unit: 'grapheme', maxLength: 64 }),
    );
    const url = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.constantFrom(
        'weixin://dl/chat?a=1&b=<2>',
        'tel:+8613800138000',
        'https://例え.example/路径?q=值',
        'https://a.example/?x=\'"',
        'HTTPS://A.example/',
      ),
    );
    const color = fc.constantFrom('#1f6feb', '#fff', '#000000');
    fc.assert(
      fc.property(
        fc.constantFrom(...jumpTypes),
        url,
        title,
        fc.constantFrom(...pageLanguages),
        color,
        (jumpType, address, name, language, tint) => {
          const look = { language, title: name, color: tint };
          const drawn = renderJump(jumpType, address, look);
          const filled = fromTemplate(jumpType, address, look);
          const text = joined(filled.body);
          expect(Buffer.from(text, 'latin1').toString('utf8')).toBe(drawn.html);
          expect(filled.length).toBe(Buffer.byteLength(drawn.html));
          expect({ status: filled.status, headers: filled.headers }).toEqual({ status: drawn.status, headers: drawn.headers });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shares its pieces with the others', () => {
    const fromTemplate = createJumpPages();
    const look = { language: 'en-US' as const, color: '#1f6feb' };
    const one = fromTemplate(1, 'https://one.example/', { ...look, title: 'One' });
    const two = fromTemplate(1, 'https://two.example/', { ...look, title: 'Two' });
    expect(one.body.pieces.length).toBe(3);
    expect(one.body.pieces).toBe(two.body.pieces);
  });

  it('takes one byte a letter, though the page around it is Chinese', () => {
    const { body } = createJumpPages()(1, 'https://one.example/', { title: '加微信', color: '#1f6feb', language: 'zh-CN' });
    // As the engine holds it: a text of two bytes a letter is written as one.
    const oneByte = serialize('a'.repeat(99))[2];
    for (const text of [...body.pieces, body.title]) expect(serialize(text)[2]).toBe(oneByte);
    expect(serialize('加'.repeat(99))[2]).not.toBe(oneByte);
  });
});
