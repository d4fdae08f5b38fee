import { readFileSync, statSync } from 'node:fs';
import { type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { type Product, startProduct } from './product.ts';
import { sharedProduct } from './shared-product.ts';
import { addUser, somebody, type User, userOf } from './users.ts';

export { expect, type Locator, type Page } from '@playwright/test';

export type Options = {
  /** Whose window `page` is: a customer's of the test's own, the administrator's, or one in which nobody has logged in. */
  as: 'customer' | 'admin' | 'nobody';
  /** Environment of a product of the worker's own, for what changes that everybody sees; without it, the one that all share. */
  productEnv: Record<string, string> | undefined;
};

type Fixtures = {
  /** Who has logged in in `page`: a customer of the test's own, the administrator, or somebody without a name. */
  user: User;
  /** Opens a window with a memory of its own, in which this user, or nobody, has logged in. */
  open: (user?: User, options?: BrowserContextOptions) => Promise<Page>;
};

type WorkerFixtures = {
  product: Product;
  admin: User;
};

const startSeconds = 180;
const toldCharacters = 8000;

/** What logs a window in before it opens. */
export const loggedIn = ({ backOffice }: Product, user: User | undefined) => ({
  cookies: [],
  origins: user?.token ? [{ origin: backOffice, localStorage: [{ name: 'livecode.token', value: user.token }] }] : [],
});

/** A change of the address before the parts of the first screen are there would be a second start. */
async function enter(page: Page, { backOffice }: Product): Promise<void> {
  await page.goto(backOffice);
  await page.locator('#main').waitFor();
}

/** Tests of journeys: each has a user, a window and data of its own, and needs no test before it. */
export const test = base.extend<Fixtures & Pick<Options, 'as'>, WorkerFixtures & Pick<Options, 'productEnv'>>({
  as: ['customer', { option: true }],
  productEnv: [undefined, { option: true, scope: 'worker' }],

  product: [
    async ({ productEnv }, use) => {
      if (!productEnv) return use(await sharedProduct());
      const product = await startProduct(productEnv);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: startSeconds * 1000 },
  ],
  admin: [async ({ product }, use) => use(await userOf(product, 'admin', product.password)), { scope: 'worker' }],

  user: async ({ as, product, admin }, use) =>
    use(as === 'admin' ? admin : as === 'nobody' ? somebody(product) : await addUser(product, admin)),
  storageState: async ({ product, user }, use) => use(loggedIn(product, user)),
  page: async ({ page, product, user }, use, test) => {
    if (user.token) await enter(page, product);
    const before = statSync(product.log).size;
    await use(page);
    if (test.status === test.expectedStatus) return;
    const said = readFileSync(product.log).subarray(before).toString();
    process.stdout.write(`While “${test.title}” failed, the product said:\n${said.slice(-toldCharacters) || 'nothing'}\n`);
  },
  open: async ({ browser, product, contextOptions, locale, viewport }, use) => {
    const opened: Page[] = [];
    await use(async (user, options = {}) => {
      const context = await browser.newContext({ locale, viewport, ...contextOptions, storageState: loggedIn(product, user), ...options });
      const page = await context.newPage();
      opened.push(page);
      if (user?.token) await enter(page, product);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
  },
});
