import { describe, expect, it } from 'vitest';
import { pageStyles } from '../../../contract/enums.ts';
import { hasHiddenCharacters, hashesOf, hostileTexts, policyOf, tagsOf, wholePicture } from '../testing/pages.ts';
import { renderText } from './landing.ts';
import { pageLanguages, texts } from './texts.ts';

const common = {
  name: '一群',
  page_title: '春季读书会',
  page_text: '每周三晚八点\n线上共读',
  page_style: 'plain',
  language: 'zh-CN',
  color: '#1f6feb',
} as const;
const picture = { ...common, picture_url: '/uploads/group.png', long_press_hint: true } as const;
const words = { ...common, text: '微信号：chunfeng\n\n工作时间 9:00' } as const;

describe('landing pages', () => {
  it.each(pageStyles)('in style %s are small, and inline parts match the policy, in every language', (page_style) => {
    for (const language of pageLanguages) {
      for (const page of [wholePicture({ ...picture, page_style, language }), renderText({ ...words, page_style, language })]) {
        expect(page.status).toBe(200);
        expect(Buffer.byteLength(page.html)).toBeLessThan(15_000);
        expect(page.html).not.toMatch(/\/\/|url\(|@import|style=|undefined/);
        expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/);
        expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
        expect(policyOf(page, 'script-src')).toEqual(hashesOf(page, 'script'));
      }
    }
  });

  it.each(hostileTexts)('show %j as text wherever it stands', (text) => {
    const hostile = { name: text, page_title: text, page_text: text, color: text };
    const calm = { name: 'a', page_title: 'a', page_text: 'a' };
    for (const page_style of pageStyles) {
      const pages = [
        [wholePicture({ ...picture, ...hostile, page_style }), wholePicture({ ...picture, ...calm, page_style })],
        [renderText({ ...words, ...hostile, page_style, text }), renderText({ ...words, ...calm, page_style })],
      ] as const;
      for (const [page, expected] of pages) {
        expect(tagsOf(page).join()).toBe(tagsOf(expected).join());
        expect(hasHiddenCharacters(page)).toBe(false);
        expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
      }
    }
  });
});

describe('a picture', () => {
  it('shows the picture with its name and how to read its code', () => {
    const { html } = wholePicture(picture);
    expect(html).toContain('<img class=picture src="/uploads/group.png" alt="一群" id=picture data-press="token">');
    expect(html).toContain(texts['zh-CN'].long_press);
    expect(html).toContain('<span dir=auto>每周三晚八点</span><span dir=auto>线上共读</span>');
    expect(wholePicture({ ...picture, long_press_hint: false }).html).not.toContain(texts['zh-CN'].long_press);
  });

  it('may load from the place of its picture and nowhere else', () => {
    expect(policyOf(wholePicture(picture), 'img-src')).toEqual(['data:', "'self'"]);
    const remote = wholePicture({ ...picture, picture_url: 'https://cdn.example.com:8443/a.png?x="1"' });
    expect(policyOf(remote, 'img-src')).toEqual(['data:', 'https://cdn.example.com:8443']);
    expect(remote.html).toContain('src="https://cdn.example.com:8443/a.png?x=&quot;1&quot;"');
  });

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    '//evil.example/a.png',
    'https://a.example;script-src *',
    '',
  ])('refuses a picture from %j', (picture_url) => expect(() => wholePicture({ ...picture, picture_url })).toThrow(RangeError));

  it('is titled by its name where the code has no title', () => {
    const { html } = wholePicture({ ...picture, page_title: '', page_text: '' });
    expect(html).toContain('<title>一群</title>');
    expect(html).not.toMatch(/<h1|class=lead/);
  });
});

describe('renderText', () => {
  it('keeps line breaks and offers to copy', () => {
    const { html } = renderText(words);
    expect(html).toContain('id=copied dir=auto>微信号：chunfeng\n\n工作时间 9:00</div>');
    expect(html).toMatch(/<button [^>]*data-done="已复制" hidden>复制文字</);
  });
});
