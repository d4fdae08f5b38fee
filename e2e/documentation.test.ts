import { expect, test } from './kit/test.ts';

test.use({ as: 'nobody' });

test('the documentation of the API is read and tried under a policy that runs no text as a program, and asks nobody else', async ({
  page,
  product,
}) => {
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(product.backOffice)) strangers.push(request.url());
  });
  const opened = await page.goto(`${product.backOffice}/api/docs/`);
  const policy = opened?.headers()['content-security-policy'] ?? '';
  const scripts = policy.split('; ').find((part) => part.startsWith('script-src'));
  expect(scripts).toMatch(/^script-src 'self'( 'sha256-[^']+')+$/);

  await expect(page.getByText('Every call is POST with JSON in and out.')).toBeVisible();
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click();
  const answered = page.waitForResponse(`${product.backOffice}/api/admin/login`);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(400);
  await expect(page.getByText('input.invalid').first()).toBeVisible();
  expect([complaints, strangers]).toEqual([[], []]);

  // Playwright's own evaluation is exempt from the policy; what runs later is not.
  const isEvaluated = await page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(new Function('return true')());
          } catch {
            resolve(false);
          }
        });
      }),
  );
  expect(isEvaluated).toBe(false);
});
