import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { freePort } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';

describe.skipIf(noBrowser)('the sign-in, where nothing answers at the address', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let address: string;
  /** Where a sign-in at this machine's own address can be begun. */
  const origin = (): string => `http://127.0.0.1:${agent.port}`;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    address = `http://127.0.0.1:${await freePort()}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  const savedAddress = async (): Promise<unknown> => {
    const config = (await (await fetch(`${agent.url}/api/v1/config`)).json()) as {
      readonly settings: Readonly<Record<string, unknown>>;
    };
    return config.settings['ha_url'];
  };

  test('an address that was just entered is kept in its field, and is not saved', async () => {
    const { page, context, faults } = await openPage(browser, origin());
    await page.goto(`${origin()}/sign-in`);
    const field = page.locator('[name=ha_url]');
    const unknown = 'http://nowhere.invalid:8123';
    await field.fill(unknown);
    const started = page.waitForResponse('**/api/v1/ha/oauth/start');
    await page.locator('[data-address] [type=submit]:not([disabled])').click();
    expect((await started).status()).toBe(400);
    const refusal = page.locator('.is-refused .refusal');
    await refusal.filter({ hasText: /name/ }).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('ha_url');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(await field.inputValue()).toBe(unknown);
    expect(await savedAddress()).toBe('');
    expect(await axe(page)).toEqual([]);
    await field.fill('');
    await refusal.waitFor({ state: 'detached' });
    await page.locator('[data-address] [type=submit]').click();
    await refusal.filter({ hasText: /^Enter the address of Home Assistant/ }).waitFor();
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });

  test('one that is saved is corrected first, and the failure is said once', async () => {
    await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ha_url: address }),
    });
    const { page, context, faults } = await openPage(browser, origin());
    // The page knows nothing of the address yet when its button is pressed.
    await page.route('**/api/v1/config/probe-home-assistant**', (route) => route.abort());
    await page.goto(`${origin()}/sign-in`);
    const started = page.waitForResponse('**/api/v1/ha/oauth/start');
    await page.locator('[data-begin]:not([disabled])').click();
    expect((await started).status()).toBe(400);
    await page.locator('[data-unreachable]', { hasText: 'Nothing listens on port' }).waitFor();
    expect(await page.getByText('Nothing listens').filter({ visible: true }).count()).toBe(1);
    expect(await page.locator('a.primary:visible').getAttribute('href')).toBe('/configure/home-assistant#field-ha_url');
    expect(await page.locator('[data-begin]').isEnabled()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(await axe(page)).toEqual([]);
    expect(faults.filter((fault) => !/400|ERR_FAILED/.test(fault))).toEqual([]);
    await context.close();
  });
});
