import type { Page } from '@playwright/test';
import { menuGroups, screens } from '../../src/contract/permissions.ts';
import menu from '../../src/locales/zh-CN/menu.json' with { type: 'json' };

const groupOf = (path: string) => menuGroups.find((group) => group.screens.some((screen) => screen.path === path));

/** Opens a screen by its Chinese name: its group in the menu, its entry there, and its tab where it shares the entry with others. */
export async function openScreen(page: Page, name: string): Promise<void> {
  const screen = screens.find(({ path }) => menu[path as 'domain_list'] === name);
  const group = groupOf(screen?.path ?? '');
  if (!screen || !group) throw new Error(`no screen is called ${name}`);
  const navigation = page.getByRole('navigation', { name: '主菜单' });
  const title = navigation.getByRole('button', { name: menu.section[group.key], exact: true });
  await title.waitFor();
  if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click();
  const entry = screen.entry ? menu.entry[screen.entry as 'codes'] : name;
  const lines = page.locator(`ul[id="${await title.getAttribute('aria-controls')}"]`);
  // Who may open one of an entry's screens only finds it under the screen's own name, and gets no tabs.
  const line = lines
    .getByRole('link', { name, exact: true })
    .or(lines.getByRole('link', { name: entry, exact: true }))
    .first();
  const isOwn = ((await line.textContent()) ?? '').trim() === name;
  await line.click();
  if (!isOwn) await page.getByRole('navigation', { name: entry }).getByRole('link', { name, exact: true }).click();
}

/** Chooses from the menu of a button that was just pressed. While a menu opens, its entries move away under the pointer. */
export async function chooseEntry(page: Page, name: string): Promise<void> {
  const open = '.ant-dropdown:visible:not([class*="-enter"]):not([class*="-appear"]):not([class*="-leave"])';
  // The switches of language and theme have a menu of plain elements.
  await page.locator(`${open}, .lc-plain-menu [role="menu"]`).getByRole('menuitem', { name }).click();
}

/** Goes to a screen as a link in the page does, without loading everything anew. */
export async function go(page: Page, path: string, shown = '#main h1'): Promise<void> {
  // Where a page is still coming, its own heading would be taken for that of the screen.
  await page.locator('h1').first().waitFor();
  await page.evaluate(
    ([hash, selector]) => {
      if (window.location.hash === hash) return;
      document.querySelector(selector)?.setAttribute('data-left', '');
      window.location.hash = hash;
    },
    [`#/${path}`, shown] as const,
  );
  await page.locator(`${shown}:not([data-left])`).first().waitFor();
}
