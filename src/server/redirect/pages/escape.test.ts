import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, isAllowedJumpUrl, pageAddress, scriptForHtml } from './escape.ts';

describe('escapeHtml', () => {
  it('leaves no character that could open or close markup', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"']|&(?!(amp|lt|gt|quot|#39);)/.test(escapeHtml(text))));
  });

  it('keeps ordinary text of every language as it is', () => {
    for (const text of ['春季读书会 · 一群', 'สวัสดี', 'Tiếng Việt', 'العربية', '👨‍👩‍👧 ok', 'one\ntwo\tthree'])
      expect(escapeHtml(text)).toBe(text);
  });

  it('drops controls and direction overrides, and mends lone surrogates', () => {
    expect(escapeHtml('a\u0000b\u001bc\u202ed\u2066e\ud800f')).toBe('abcde\ufffdf');
    expect(escapeHtml('a\r\nb\rc')).toBe('a\nb\nc');
  });
});

describe('scriptForHtml', () => {
  it('keeps the meaning of code that names the element it stands in', () => {
    const code = scriptForHtml('return "</script><!-- </SCRIPT>".length + /<\\/script>/.source.length');
    expect(code).not.toMatch(/<\/script|<!--/i);
    expect(new Function(code)()).toBe('</script><!-- </SCRIPT>'.length + 10);
  });

  it('normalises what an HTML parser would change, so that a hash stays true', () => {
    expect(scriptForHtml('a\r\nb\rc\u0000d')).toBe('a\nb\ncd');
  });
});

describe('isAllowedJumpUrl', () => {
  const schemes = ['weixin', 'alipays:', 'TEL', 'taobao://', 'javascript', 'data:', 'file'];

  it.each([
    'https://example.com',
    'http://example.com:8080/a/b?c=d&e=f#g',
    'HTTPS://EXAMPLE.COM/',
    'https://例子.中国/路径?问=答',
    'https://[2001:db8::1]/',
    'https://example.com/it%27s-(fine)~@user:x',
    'weixin://dl/business/?t=abc',
    'WeiXin://dl/chat',
    'alipays://platformapi/startapp?appId=1',
    'tel:+8610000',
    'taobao://item.taobao.com/item.htm?id=1',
  ])('allows %j', (url) => expect(isAllowedJumpUrl(url, schemes)).toBe(true));

  it.each([
    '',
    'example.com',
    '/path',
    '//evil.example',
    '\\\\evil.example',
    'https:\\\\evil.example',
    'https:/\\evil.example',
    'https:evil.example',
    'https:///evil.example',
    'https://',
    'https://?x',
    'https://#x',
    'http://user:password@example.com/',
    'https://bank.example@evil.example/',
    'https://exa mple.com',
    '  https://example.com',
    'https://example.com\n',
    'https://example.com/\u0000',
    'https://example.com/\u202egnp.exe',
    'https://example.com/\u200b',
    'https://example.com/\u00a0',
    'https://example.com/\u2028',
    'https://example.com/\ud800',
    'https://exam\tple.com',
    'https://a:99999/',
    'https://%00/',
    `https://example.com/${'a'.repeat(4096)}`,
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u0000:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'filesystem:https://example.com/temporary/x',
    'view-source:https://example.com',
    'about:blank',
    'content://media/1',
    'intent://scan/#Intent;end',
    'ftp://example.com/',
    'weixin:',
    'weixin',
    'weixin2://x',
    ':https://example.com',
    '&#106;avascript:alert(1)',
  ])('refuses %j, whatever the settings name', (url) => expect(isAllowedJumpUrl(url, schemes)).toBe(false));

  it('allows an app scheme only where the settings name it', () => {
    expect(isAllowedJumpUrl('weixin://dl/chat', [])).toBe(false);
    expect(isAllowedJumpUrl('weixin://dl/chat', ['', ':', '://', 'wei'])).toBe(false);
  });

  it('answers a huge address at once', () => {
    expect(isAllowedJumpUrl(`https://${'a'.repeat(5_000_000)}`, [])).toBe(false);
    expect(isAllowedJumpUrl('a'.repeat(5_000_000), [])).toBe(false);
  });

  it('never allows what a browser would read as another scheme', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 20 }), (start, rest) => {
        const url = `${start}:${rest}`;
        return !isAllowedJumpUrl(url, ['weixin']) || ['http:', 'https:', 'weixin:'].includes(new URL(url).protocol);
      }),
    );
  });
});

describe('pageAddress', () => {
  it('takes paths on this host and web addresses only', () => {
    for (const url of ['/uploads/a.png', '/', 'https://cdn.example.com/a.png']) expect(pageAddress(url)).toBe(url);
    for (const url of [
      '',
      '//evil.example/a.png',
      '/\\evil.example',
      'a.png',
      'data:image/png;base64,AA',
      'javascript:1',
      '/a b',
      '/a\n',
    ]) {
      expect(pageAddress(url)).toBeNull();
    }
  });
});
