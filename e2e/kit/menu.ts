import type { Page } from 'playwright-core';

/** Opens a screen by the menu, where only the group of the present screen may be open. */
export async function openScreen(page: Page, group: string, screen: string): Promise<void> {
  // The group's picture has a name of its own, which stands before its words; a screen may end with the same words.
  const title = page.getByRole('menuitem', { name: new RegExp(`${group}$`) }).and(page.locator('[aria-haspopup]'));
  await title.waitFor();
  if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click();
  await page.getByRole('link', { name: screen, exact: true }).click();
}

/** Chooses from the menu of a button that was just pressed. While a menu opens, its entries move away under the pointer. */
export async function chooseEntry(page: Page, name: string): Promise<void> {
  const open = '.ant-dropdown:visible:not([class*="-enter"]):not([class*="-appear"]):not([class*="-leave"])';
  await page.locator(open).getByRole('menuitem', { name }).click();
}
