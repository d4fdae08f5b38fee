import type { BrowserContextOptions } from '@playwright/test';
import { languageNames, languages } from '../src/contract/enums.ts';
import { chooseEntry } from './kit/menu.ts';
import { test as base, expect, type Page } from './kit/test.ts';

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const test = base.extend<{ openIn: (kept: Record<string, string>, path: string, options?: BrowserContextOptions) => Promise<Page> }>({
  /** Opens a page in a browser that remembers this. */
  openIn: async ({ open, product: { backOffice } }, use) =>
    use(async (kept, path, options) => {
      const localStorage = Object.entries(kept).map(([name, value]) => ({ name: `livecode.${name}`, value }));
      const page = await open(undefined, { ...options, storageState: { cookies: [], origins: [{ origin: backOffice, localStorage }] } });
      await page.goto(`${backOffice}/#/${path}`);
      return page;
    }),
});
// Which languages there are, and their texts, everybody sees.
test.use({ as: 'admin', productEnv: {} });

/** Texts that look like a message key, such as `common.save`: a message that is missing shows its key. */
const rawKeys = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) found.push(walker.currentNode.textContent?.trim() ?? '');
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) found.push(element.getAttribute(name) ?? '');
    return found.filter((text) => /^[a-z_]+\.[a-z_.]+$/.test(text));
  });

/** What is wider than the page, and how wide: a page that can be pushed sideways. */
const overflow = (page: Page) =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - window.innerWidth);

async function expectSpoken(page: Page, code: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', code);
  await expect.poll(() => rawKeys(page), `keys in ${code} at ${page.url()}`).toEqual([]);
  await expect.poll(() => overflow(page), `width in ${code} at ${page.url()}`).toBe(0);
}

for (const language of languages) {
  test(`on a phone, login, registration and a list are whole in ${language}`, async ({ openIn, user }) => {
    for (const path of ['admin_login', 'admin_register']) {
      const visitor = await openIn({ language }, path, phone);
      await expect(visitor.getByRole('textbox').first()).toBeVisible();
      await expectSpoken(visitor, language);
    }
    const page = await openIn({ language, token: user.token }, 'system/language_list', phone);
    await expect(page.getByText(languageNames['ja-JP']).first()).toBeVisible();
    await expectSpoken(page, language);
  });
}

for (const [what, options] of [
  ['desktop', {}],
  ['phone', phone],
] as const) {
  test(`the language is switched by keyboard on a ${what}, and stays after a reload`, async ({ openIn }) => {
    const page = await openIn({}, 'admin_login', options);
    const button = page.getByRole('button', { name: '语言' });
    await button.focus();
    await page.keyboard.press('Enter');
    const entries = page.getByRole('menuitem');
    await expect(entries).toHaveText(languages.map((code) => languageNames[code]));
    const chosen = page.getByRole('menuitem', { name: languageNames['vi-VN'] });
    for (const _ of languages)
      if (!(await chosen.evaluate((entry) => entry === document.activeElement))) await page.keyboard.press('ArrowDown');
    await expect(chosen).toBeFocused();
    await page.keyboard.press('Enter');
    await expectSpoken(page, 'vi-VN');
    await expect(page.locator('button:focus')).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('textbox').first()).toBeVisible();
    await expectSpoken(page, 'vi-VN');
  });
}

test('a text that is overwritten, and a language that is hidden, reach open pages without a reload', async ({ openIn, user }) => {
  const page = await openIn({ language: 'en-US', token: user.token }, 'system/language_list');
  const html = page.locator('html');
  await expect(page.getByRole('heading', { name: 'Languages' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await user.call('language_list/update_text', { code: 'en-US', key: 'menu.language_list', text: 'Tongues' });
  await expect(page.getByRole('heading', { name: 'Tongues' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tongues', exact: true })).toBeVisible();
  await user.call('language_list/reset_texts', { code: 'en-US', keys: ['menu.language_list'] });
  await expect(page.getByRole('heading', { name: 'Languages' })).toBeVisible();
  await user.call('language_list/update', { code: 'en-US', show_status: 2 });
  await expect(html).toHaveAttribute('lang', 'zh-CN');
  await user.call('language_list/update', { code: 'en-US', show_status: 1 });
  await expect(html).toHaveAttribute('lang', 'en-US');
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('an operator overwrites a text and sees what is wrong beside the field', async ({ openIn, user }) => {
  const key = 'errors.too_many_attempts';
  const page = await openIn({ token: user.token }, 'system/language_list');
  await page.getByRole('row').filter({ hasText: 'ja-JP' }).getByRole('button', { name: '文案', exact: true }).click();
  const drawer = page.getByRole('dialog').filter({ hasText: '日本語' });
  await drawer.getByRole('textbox').first().fill(key);
  await drawer.getByRole('row').filter({ hasText: key }).getByRole('button', { name: '覆盖', exact: true }).click();
  const form = page.getByRole('dialog').filter({ hasText: '内置文案' }).last();
  await form.getByRole('textbox').fill('あとで {{surprise}}');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByText('含有内置文案中没有的占位符')).toBeVisible();
  await form.getByRole('textbox').fill('{{minutes}} 分後に');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('{{minutes}} 分後に')).toBeVisible();
  await user.call('language_list/reset_texts', { code: 'ja-JP', keys: [key] });
});

test('an added language is chosen and shown', async ({ openIn, user }) => {
  const code = 'ko-KR';
  await user.call('language_list/add', { code, base: 'en-US', title: '한국어' });
  await user.call('language_list/import_texts', { code, json: JSON.stringify({ login: { title: '로그인' } }) });
  const visitor = await openIn({}, 'admin_login', phone);
  await visitor.getByRole('button', { name: '语言' }).click();
  await chooseEntry(visitor, '한국어');
  await expectSpoken(visitor, code);
  await visitor.reload();
  await expect(visitor.getByRole('textbox').first()).toBeVisible();
  await expectSpoken(visitor, code);
  await user.call('language_list/remove', { code });
});
