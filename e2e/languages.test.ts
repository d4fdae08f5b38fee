import type { Browser, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { languageNames, languages } from '../src/contract/enums.ts';
import { beforeJourneys } from './kit/journey.ts';
import { chooseEntry } from './kit/menu.ts';
import type { Product } from './kit/product.ts';

let product: Product;
let browser: Browser;
let token: string;

const phone = { locale: 'zh-CN', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = { locale: 'zh-CN', viewport: { width: 1440, height: 900 } };
const patience = { timeout: 15_000 };

async function call(path: string, input: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${product.backOffice}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

async function open(options: Parameters<Browser['newContext']>[0], kept: Record<string, string> = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
  }, kept);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

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
  await expect.poll(() => page.evaluate(() => document.documentElement.lang), patience).toBe(code);
  expect([code, page.url(), await rawKeys(page)]).toEqual([code, page.url(), []]);
  expect([code, page.url(), await overflow(page)]).toEqual([code, page.url(), 0]);
}

beforeJourneys(async (journey) => {
  token = '';
  ({ product, browser } = journey);
  token = String((await call('admin/login', { account: 'admin', password: product.password })).token);
});

test.each(languages)('on a phone, login, registration and a list are whole in %s', async (code) => {
  const visitor = await open(phone, { 'livecode.language': code });
  for (const screen of ['admin_login', 'admin_register']) {
    await visitor.goto(`${product.backOffice}/#/${screen}`);
    await visitor.getByRole('textbox').first().waitFor();
    await expectSpoken(visitor, code);
  }
  await visitor.context().close();
  const user = await open(phone, { 'livecode.language': code, 'livecode.token': token });
  await user.goto(`${product.backOffice}/#/system/language_list`);
  await user.getByText(languageNames['ja-JP']).first().waitFor();
  await expectSpoken(user, code);
  await user.context().close();
});

test.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('the language is switched by keyboard on a %s, and stays after a reload', async (_what, options) => {
  const page = await open(options);
  await page.goto(`${product.backOffice}/#/admin_login`);
  const button = page.getByRole('button', { name: '语言' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(languages.map((code) => languageNames[code]));
  const isFocused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect
    .poll(async () => {
      if ((await isFocused()) === languageNames['vi-VN']) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    }, patience)
    .toBe(true);
  await page.keyboard.press('Enter');
  await expectSpoken(page, 'vi-VN');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), patience).toBe('BUTTON');
  await page.reload();
  await page.getByRole('textbox').first().waitFor();
  await expectSpoken(page, 'vi-VN');
  await page.context().close();
});

test('a text that is overwritten, and a language that is hidden, reach open pages without a reload', async () => {
  const page = await open(desktop, { 'livecode.language': 'en-US', 'livecode.token': token });
  await page.goto(`${product.backOffice}/#/system/language_list`);
  await page.getByRole('heading', { name: 'Languages' }).waitFor();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await call('language_list/update_text', { code: 'en-US', key: 'menu.language_list', text: 'Tongues' });
  await page.getByRole('heading', { name: 'Tongues' }).waitFor();
  await page.getByRole('link', { name: 'Tongues', exact: true }).waitFor();
  await call('language_list/reset_texts', { code: 'en-US', keys: ['menu.language_list'] });
  await page.getByRole('heading', { name: 'Languages' }).waitFor();
  await call('language_list/update', { code: 'en-US', show_status: 2 });
  await expect.poll(() => page.evaluate(() => document.documentElement.lang), patience).toBe('zh-CN');
  await call('language_list/update', { code: 'en-US', show_status: 1 });
  await expect.poll(() => page.evaluate(() => document.documentElement.lang), patience).toBe('en-US');
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await page.context().close();
});

test('an operator overwrites a text and sees what is wrong beside the field; an added language is chosen and shown', async () => {
  const page = await open(desktop, { 'livecode.token': token });
  await page.goto(`${product.backOffice}/#/system/language_list`);
  await page.getByRole('row').filter({ hasText: 'ja-JP' }).getByRole('button', { name: '文案', exact: true }).click();
  const drawer = page.getByRole('dialog').filter({ hasText: '日本語' });
  await drawer.getByRole('textbox').first().fill('errors.too_many_attempts');
  await drawer.getByRole('row').filter({ hasText: 'errors.too_many_attempts' }).getByRole('button', { name: '覆盖', exact: true }).click();
  const form = page.getByRole('dialog').filter({ hasText: '内置文案' }).last();
  await form.getByRole('textbox').fill('あとで {{surprise}}');
  await form.getByRole('button', { name: '保存' }).click();
  await form.getByText('含有内置文案中没有的占位符').waitFor();
  await form.getByRole('textbox').fill('{{minutes}} 分後に');
  await form.getByRole('button', { name: '保存' }).click();
  await drawer.getByText('{{minutes}} 分後に').waitFor();

  await call('language_list/add', { code: 'ko-KR', base: 'en-US', title: '한국어' });
  await call('language_list/import_texts', { code: 'ko-KR', json: JSON.stringify({ login: { title: '로그인' } }) }).catch(() => {});
  const visitor = await open(phone);
  await visitor.goto(`${product.backOffice}/#/admin_login`);
  await visitor.getByRole('button', { name: '语言' }).click();
  await chooseEntry(visitor, '한국어');
  await expectSpoken(visitor, 'ko-KR');
  await visitor.reload();
  await visitor.getByRole('textbox').first().waitFor();
  await expectSpoken(visitor, 'ko-KR');
  await visitor.context().close();
  await page.context().close();
});
