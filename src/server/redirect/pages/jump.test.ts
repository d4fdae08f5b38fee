import { describe, expect, it } from 'vitest';
import { jumpTypes } from '../../../contract/enums.ts';
import { elementsOf, hasHiddenCharacters, hashesOf, hostileTexts, policyOf, renderJump, tagsOf } from '../testing/pages.ts';
import { pageLanguages } from './texts.ts';

const options = { language: 'zh-CN', title: '春季读书群', color: '#1f6feb' } as const;
const url = 'https://target.example/path?a=1&b="2"&c=<3>&d=\'4\'#</script><script>alert(1)</script>';
const inAttribute =
  'https://target.example/path?a=1&amp;b=&quot;2&quot;&amp;c=&lt;3&gt;&amp;d=&#39;4&#39;#&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;';

describe('renderJump', () => {
  it.each(jumpTypes)('type %i has a plain link, a true policy and nothing unescaped, in every language', (type) => {
    for (const language of pageLanguages) {
      const page = renderJump(type, url, { ...options, language });
      expect(page.status).toBe(type === 6 ? 404 : 200);
      expect(page.html).toContain(`<html lang=${language}>`);
      expect(page.html).toContain(`<title>${options.title}</title>`);
      expect(page.html).toMatch(new RegExp(`<a [^>]*id=to href="${inAttribute.replace(/[?.()]/g, '\\$&')}"`));
      expect(page.html.replaceAll(inAttribute, '')).not.toMatch(/alert|target\.example/);
      expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/);
      expect(page.headers['content-security-policy']).not.toContain('unsafe');
      expect(policyOf(page, 'script-src')).toEqual(hashesOf(page, 'script'));
      expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
      expect(page.headers['referrer-policy']).toBe('strict-origin');
    }
  });

  it('types 1 to 3 stay under 900 bytes, and type 6 over the 512 below which some browsers show a page of their own', () => {
    for (const language of pageLanguages) {
      for (const type of [1, 2, 3] as const) {
        expect(
          Buffer.byteLength(renderJump(type, 'https://target.example/groups/spring?from=poster', { ...options, language }).html),
        ).toBeLessThan(900);
      }
      expect(Buffer.byteLength(renderJump(6, 'https://a.example', { ...options, language, title: '' }).html)).toBeGreaterThan(512);
    }
  });

  it('each type jumps in its own way', () => {
    const scriptOf = (type: (typeof jumpTypes)[number]) => elementsOf(renderJump(type, url, options), 'script').join();
    expect(scriptOf(1)).toMatch(/^location\.replace\(/);
    expect(scriptOf(2)).toBe('');
    expect(renderJump(2, url, options).html).toContain(`<meta http-equiv=refresh content="0;url=${inAttribute}">`);
    expect(scriptOf(3)).toMatch(/^location\.href=/);
    expect(scriptOf(4)).toMatch(/^open\(.*'_blank','noopener'\)$/);
    expect(scriptOf(5)).toBe('');
    expect(renderJump(5, url, options).html).toContain(`<iframe src="${inAttribute}"`);
    expect(scriptOf(6)).toMatch(/^location\.replace\(/);
  });

  it('only the framing page may frame, and leaves a page with TLS for a target without', () => {
    expect(policyOf(renderJump(5, url, options), 'frame-src')).toEqual(['http:', 'https:']);
    for (const type of [1, 2, 3, 4, 6] as const) expect(policyOf(renderJump(type, url, options), 'frame-src')).toEqual([]);
    const insecure = renderJump(5, 'http://target.example/', options);
    expect(elementsOf(insecure, 'script').join()).toMatch(/^if\(location\.protocol=='https:'\)location\.replace\(/);
    expect(policyOf(insecure, 'script-src')).toEqual(hashesOf(insecure, 'script'));
  });

  it('an app is called, not framed', () => {
    const page = renderJump(5, 'weixin://dl/chat?x', options);
    expect(page.html).not.toContain('<iframe');
    expect(elementsOf(page, 'script').join()).toMatch(/^location\.replace\(/);
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    ' https://a.example',
    'nothing',
    '',
  ])('never renders %j', (bad) => {
    for (const type of jumpTypes) expect(() => renderJump(type, bad, options)).toThrow(RangeError);
  });

  it.each(hostileTexts)('shows the title %j as text', (title) => {
    for (const type of jumpTypes) {
      const page = renderJump(type, url, { ...options, title, color: title });
      expect(tagsOf(page).join()).toBe(tagsOf(renderJump(type, url, options)).join());
      expect(hasHiddenCharacters(page)).toBe(false);
      expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
    }
  });

  it('runs approved scripts before it jumps, and lets them reach their origins only', () => {
    const snippets = {
      scripts: ['window.x = "</script>";\r\n<!-- y', 'z()'],
      origins: [
        'https://stats.example.com',
        'https://*.cdn.example:8443',
        "https://x.example 'unsafe-inline'",
        'http://a.example',
        'x;script-src *',
      ],
    };
    const page = renderJump(1, url, { ...options, snippets });
    const allowed = ['https://stats.example.com', 'https://*.cdn.example:8443'];
    expect(elementsOf(page, 'script')).toHaveLength(3);
    expect(policyOf(page, 'script-src')).toEqual([...hashesOf(page, 'script'), ...allowed]);
    expect(policyOf(page, 'connect-src')).toEqual(allowed);
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*;|a\.example/);
    expect(elementsOf(page, 'script')[2]).toMatch(/setTimeout\(go,1200\)/);
    expect(renderJump(2, url, { ...options, snippets }).html).toContain('content="2;url=');
  });
});
