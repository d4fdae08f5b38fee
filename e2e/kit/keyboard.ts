import { expect, type Page } from '@playwright/test';

const maxPresses = 150;

/** What a screen reader would call the element that has the focus, in short. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement?.closest('a, button, input, textarea, [role="menuitem"], [role="combobox"]');
    return element?.getAttribute('aria-label') || element?.textContent || element?.getAttribute('placeholder') || '';
  });

/** Goes on with Tab, as one does without a mouse, to what bears this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < maxPresses; press++) {
    if ((await focused(page)).includes(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name}, but to ${await focused(page)}`);
}

/** Goes there, and presses it. */
export async function pressAt(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** The same in the dialog that is opening, once it has the focus. */
export async function pressInDialog(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'));
  await pressAt(page, name);
}

/** The entry of an open menu that has the focus. */
const focusedEntry = (page: Page) => page.evaluate(() => document.activeElement?.closest('[role="menuitem"]')?.textContent ?? '');

/** Walks a menu that a press has opened down to its entry, and chooses it. */
export async function chooseByArrows(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem').first().waitFor();
  for (let press = 0; press < maxPresses; press++) {
    const present = await focusedEntry(page);
    if (present.includes(name)) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    // The focus follows a moment after the key: one that was still under way would lead beyond the entry that is then chosen.
    await expect.poll(() => focusedEntry(page)).not.toBe(present);
  }
  throw new Error(`no entry is called ${name}`);
}

/** Closes what lies on top. The hint of what is under the pointer lies higher, and would take the key for itself: it goes first. */
export async function pressEscape(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.locator('.ant-tooltip:visible')).toHaveCount(0);
  await page.keyboard.press('Escape');
}
