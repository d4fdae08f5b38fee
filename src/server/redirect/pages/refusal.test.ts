import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, hashesOf, hostileTexts, policyOf, tagsOf } from '../testing/pages.ts';
import { renderRefusal } from './refusal.ts';
import type { RefusalOutcome } from './texts.ts';
import { pageLanguages, texts } from './texts.ts';

const refusalOutcomes = Object.keys(texts['zh-CN'].refusals) as RefusalOutcome[];
const link = 'https://go.example.com/spring?a=1&b=2';
const options = { language: 'zh-CN', site_title: '春风活码', color: '#1f6feb' } as const;
const everyPage = refusalOutcomes.flatMap((outcome) => pageLanguages.map((language) => [outcome, language] as const));

describe('renderRefusal', () => {
  it.each(everyPage)('%s in %s is small, whole and asks for nothing outside', (outcome, language) => {
    const page = renderRefusal(outcome, {
      ...options,
      language,
      host: 'old.example.com',
      is_reportable: true,
      code_title: '一群',
      link,
    });
    expect(Buffer.byteLength(page.html)).toBeLessThan(15_000);
    expect(page.html).toContain(`<html lang=${language}>`);
    expect(page.html).toContain(`<h1>${texts[language].refusals[outcome].title}</h1>`);
    expect(page.html).toContain('href="?~report"');
    expect(page.html.replaceAll('https://go.example.com/', '')).not.toMatch(/\/\/|src=|url\(|@import|style=|\son[a-z]+=/);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/);
    expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
    expect(policyOf(page, 'script-src')).toEqual(hashesOf(page, 'script'));
  });

  it('answers with an error status for each outcome, and never "gone for good"', () => {
    const statuses = Object.fromEntries(refusalOutcomes.map((outcome) => [outcome, renderRefusal(outcome, options).status]));
    expect(statuses).toEqual({
      unknown_host: 404,
      blocked_ip: 403,
      not_found: 404,
      frozen: 403,
      closed: 403,
      owner_inactive: 403,
      not_scanned: 403,
      not_messenger: 403,
      exhausted: 404,
      blocked_source: 403,
      unavailable: 503,
    });
    expect(renderRefusal('unavailable', options).headers['retry-after']).toBe('60');
  });

  it('needs nothing but language, title and colour', () => {
    for (const outcome of refusalOutcomes) {
      const page = renderRefusal(outcome, { language: 'en-US', site_title: '', color: '' });
      expect(page.html).not.toMatch(/undefined|null|class=site dir|<footer|<script/);
    }
  });

  it.each(hostileTexts)('shows %j as text wherever it stands', (text) => {
    const calm = { ...options, site_title: 'a', code_title: 'a', link };
    for (const outcome of refusalOutcomes) {
      const page = renderRefusal(outcome, { ...calm, site_title: text, code_title: text, host: text, color: text });
      expect(tagsOf(page).join()).toBe(tagsOf(renderRefusal(outcome, calm)).join());
      expect(hasHiddenCharacters(page)).toBe(false);
      expect(policyOf(page, 'style-src')).toEqual(hashesOf(page, 'style'));
    }
  });

  it('shows the host of an unknown one only where it is written like a host', () => {
    expect(renderRefusal('unknown_host', { ...options, host: 'xn--fsq.example:8080' }).html).toContain('xn--fsq.example:8080');
    for (const host of ['a b', 'a/b', '<b>', 'a'.repeat(254), 'ä.example']) {
      expect(renderRefusal('unknown_host', { ...options, host }).html).not.toContain('class=quiet');
    }
    expect(renderRefusal('closed', { ...options, host: 'old.example.com' }).html).not.toContain('old.example.com');
  });

  it('gives the link to copy with not_messenger, as text that needs no script', () => {
    const page = renderRefusal('not_messenger', { ...options, link });
    expect(page.html).toContain(`id=copied dir=ltr>${link.replace('&', '&amp;')}<`);
    expect(page.html).toMatch(/<button [^>]*hidden>复制链接</);
    for (const bad of ['javascript:alert(1)', 'weixin://x', '/path', '']) {
      expect(renderRefusal('not_messenger', { ...options, link: bad }).html).not.toContain('id=copied');
    }
    expect(renderRefusal('closed', { ...options, link }).html).not.toContain('go.example.com');
  });
});
