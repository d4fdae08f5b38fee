import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../kit/calls/errors.ts';
import { expectWithin, timeOf } from '../kit/testing/within.ts';
import { cleanRichText, plainText } from './rich-text.public.ts';

const clean = (html: string, max = 100_000) => cleanRichText(html, max, 'body');
const picture = `/file/${'a'.repeat(32)}.png`;

test('what the editor writes stays as it is', () => {
  const written = [
    '<h2 class="align-center">标题</h2>',
    '<p>一 <strong>二</strong> <em>三</em> <u>四</u> <s>五</s> <code>six</code><br />七</p>',
    '<p><a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">链接</a></p>',
    '<ul><li><p>甲</p><ol start="3"><li><p>乙</p></li></ol></li></ul>',
    '<blockquote><p>引用</p></blockquote><pre><code>a &lt; b</code></pre><hr />',
    `<img src="${picture}" alt="图" width="600" />`,
  ].join('');
  expect(clean(written)).toBe(written);
  expect(clean(clean(written))).toBe(written);
});

describe('hostile text', () => {
  test.each([
    ['<script>alert(1)</script>', ''],
    ['<p>a<script>alert(1)</script>b</p>', '<p>ab</p>'],
    ['<scr<script>ipt>alert(1)</scr</script>ipt>', 'ipt&gt;alert(1)ipt&gt;'],
    ['<style>*{display:none}</style><p>a</p>', '<p>a</p>'],
    ['<p onclick="alert(1)" style="position:fixed" id="root" class="ant-modal align-right">a</p>', '<p class="align-right">a</p>'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<img src="https://tracker.example.com/1.png"><p>a</p>', '<p>a</p>'],
    [`<img src="${picture}?x=1"><p>a</p>`, '<p>a</p>'],
    ['<img src="/file/../api/x.png"><p>a</p>', '<p>a</p>'],
    ['<svg><script>alert(1)</script></svg>a', 'a'],
    ['<svg onload=alert(1)>a', 'a'],
    ['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">', ''],
    ['<iframe src="javascript:alert(1)">x</iframe>a', 'xa'],
    ['<object data="x"></object><embed src="x"><form action="x"><input name="a"><button>b</button></form>', 'b'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="JaVaScRiPt:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="java\tscript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
    ['<a href="//evil.example.com">a</a>', '<a>a</a>'],
    ['<a href="vbscript:x" target="_top" rel="opener" ping="https://x">a</a>', '<a>a</a>'],
    ['<p>a<!-- b --></p>', '<p>a</p>'],
    ['<textarea><script>alert(1)</script></textarea>', ''],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    ['<base href="https://evil.example.com/"><meta http-equiv="refresh" content="0;url=x"><link rel="stylesheet" href="x">a', 'a'],
  ])('%s', (html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  test('a link inside the app stays in its window, others get none of ours', () => {
    expect(clean('<a href="#/customer/home">a</a>')).toContain('target="_self"');
    expect(clean('<a href="https://example.com/">a</a>')).toContain('rel="noopener noreferrer nofollow"');
  });

  test('whatever comes in, nothing that runs comes out, and cleaning again changes nothing', () => {
    const pieces = fc.constantFrom(
      ...['<', '>', '</', '/>', '"', "'", '=', ' ', '&', '&lt;', '&#60;', '<!--', '-->', '\u0000', '\n', '<![CDATA[', ']]>', '`'],
      ...['script', 'img', 'svg', 'p', 'a', 'style', 'math', 'textarea', 'b', 'ul', 'li', 'noscript', 'template', 'xmp', 'title'],
      ...['onerror=alert(1)', 'src=x', 'href=javascript:alert(1)', 'class=align-center', 'alert(1)', '标题'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const once = clean(parts.join(''));
        for (const tag of once.match(/<[^>]*>/g) ?? []) {
          expect(tag).toMatch(/^<\/?(?:p|h[234]|blockquote|pre|ul|ol|li|hr|br|strong|em|u|s|code|a|img)[ >/]/);
          expect(tag).not.toMatch(/ on\w+=|javascript:|style=/i);
        }
        expect(once.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 1500 },
    );
  });

  test('huge and endlessly nested text is answered at once', async () => {
    for (const piece of ['<ul><li>', '<p>', '<b>', '</p>', '<', '<a ', '&amp', '<!--', '<p a=', '"', '<img src=']) {
      const html = piece.repeat(Math.floor(200_000 / piece.length));
      let cleaned = '';
      await expectWithin(1000, () =>
        timeOf(() => {
          cleaned = clean(html, 2_000_000);
        }),
      );
      const depth = [...cleaned.matchAll(/<(\/?)(?:ul|li|p|strong)>/g)].reduce(
        ({ now, most }, [, slash]) => ({ now: now + (slash ? -1 : 1), most: Math.max(most, now + 1) }),
        { now: 0, most: 0 },
      ).most;
      expect(depth).toBeLessThanOrEqual(22);
    }
  });

  test('text that cleaning made too long is refused by its field', () => {
    expect(() => clean('<'.repeat(1000), 2000)).toThrow(AppError);
    expect(clean('a'.repeat(2000), 2000)).toHaveLength(2000);
  });
});

test.each(['', ' ', '<p></p>', '<p> </p><p><br></p>', '<p>\u00a0</p>', '<p class="align-center"><strong></strong></p>'])(
  '%j is no text at all',
  (html) => {
    expect(clean(html)).toBe('');
  },
);

test('a picture or a line alone is text enough', () => {
  expect(clean(`<p><img src="${picture}"></p>`)).not.toBe('');
  expect(clean('<hr>')).not.toBe('');
});

test('the words of a text stand in one line, as they are read', () => {
  expect(plainText(clean('<h2>标题</h2><p>一<strong>二</strong>&nbsp;三 &lt;b&gt; &amp;amp; "四"</p><ul><li>五</li></ul>'))).toBe(
    '标题 一二 三 <b> &amp; "四" 五',
  );
});
