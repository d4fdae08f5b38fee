import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, hashesOf, hostileTexts, policyOf, tagsOf } from '../testing/pages.ts';
import { renderOutside } from './outside.ts';
import { pageLanguages } from './texts.ts';

const options = {
  language: 'zh-CN',
  site_title: '活码系统',
  color: '#1f6feb',
  title: '请在浏览器中打开',
  text: '有问题请加客服',
  picture_url: '/~file/how.png',
  link: 'https://s.example/tea',
} as const;

describe('the page that says how to open a link elsewhere', () => {
  it('is small, allows itself only, and shows steps, picture and link in every language', () => {
    const headings = new Set<string>();
    for (const language of pageLanguages) {
      const page = renderOutside({ ...options, language, title: '' });
      expect(page.status).toBe(200);
      expect(Buffer.byteLength(page.html)).toBeLessThan(15_000);
      expect(page.html).toContain(`<html lang=${language}>`);
      expect(page.html).toContain('<li>');
      expect(page.html).toContain('src="/~file/how.png"');
      expect(page.html).toContain('>https://s.example/tea</p>');
      expect(page.html).not.toMatch(/undefined|url\(|@import|style=/);
      expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
      expect(policyOf(page, 'script-src')).toEqual(hashesOf(page, 'script'));
      expect(policyOf(page, 'img-src')).toContain("'self'");
      headings.add(/<h1[^>]*>([^<]+)/.exec(page.html)?.[1] ?? '');
    }
    expect(headings.size).toBe(pageLanguages.length);
  });

  it('cannot be broken out of, and offers no link that visitors may not be sent to', () => {
    const usual = tagsOf(renderOutside(options));
    for (const hostile of hostileTexts) {
      const page = renderOutside({ ...options, title: hostile, text: hostile, site_title: hostile });
      expect(tagsOf(page)).toEqual(usual);
      expect(hasHiddenCharacters(page)).toBe(false);
    }
    for (const link of ['javascript:alert(1)', 'https://a b/', ''])
      expect(renderOutside({ ...options, link }).html).not.toContain('id=copied');
    expect(renderOutside({ ...options, picture_url: 'javascript:alert(1)' }).html).not.toContain('<img');
  });
});
