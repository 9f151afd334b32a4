import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Broker, brokerMissing, startBroker } from '#test/broker/mosquitto.ts';
import { clearAway, startAgent } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { startRunLoop, type RunLoop } from './run-loop.ts';

/** A browser that restarts with the agent is told of refused connections; nothing else may go wrong. */
const ownFaults = (faults: readonly string[]): readonly string[] =>
  faults.filter(
    (fault) =>
      !/ERR_CONNECTION_(?:REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of (?:503|409)/.test(fault),
  );

describe.skipIf(noBrowser || brokerMissing !== null)('a reset, in a browser, with an agent that restarts', () => {
  let browser: Browser;
  let agent: RunLoop;
  let broker: Broker;
  let origin: string;

  beforeAll(async () => {
    [browser, agent, broker] = await Promise.all([startBrowser(), startRunLoop([1500, 9000, 400]), startBroker()]);
    origin = `http://panel.local:${agent.port}`;
  }, 150_000);
  afterAll(async () => {
    await agent.stop();
    await broker.close();
    clearAway();
    await closePages(browser);
  });

  const api = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${agent.url}/api/v1/${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as T;
  };
  const nameOf = async (): Promise<unknown> =>
    (await api<{ readonly settings: Readonly<Record<string, unknown>> }>('config')).settings['friendly_name'];
  /** A panel that Home Assistant was told of. */
  const setUp = async (): Promise<void> => {
    const body = { friendly_name: 'Hall', mqtt_broker: `mqtt://127.0.0.1:${broker.port}` };
    await until('the settings', async () => (await api<{ readonly ok?: boolean }>('config', body)).ok === true);
    await until(
      'the device',
      async () => (await api<{ readonly entities: number }>('setup/reset')).entities > 0,
      20_000,
    );
  };
  const choose = async (page: Page, scope: string, button: string): Promise<void> => {
    await page.locator(`[data-reset="${scope}"]:not([disabled])`).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/entit(?:y is|ies are) removed from Home Assistant/);
    await dialog.getByRole('button', { name: button }).click();
  };

  test('asks, shows the restart, and leads on; nothing is lost where somebody says no', async () => {
    await setUp();
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/setup/reset`);
    expect(await axe(page)).toEqual([]);
    await choose(page, 'settings', 'Cancel');
    expect(await nameOf()).toBe('Hall');

    await choose(page, 'settings', 'Reset all settings');
    await page.getByRole('heading', { name: 'Resetting all settings' }).waitFor();
    await page.getByRole('heading', { name: 'All settings were reset' }).waitFor({ timeout: 30_000 });
    expect(await page.getByRole('link', { name: 'Set this panel up' }).getAttribute('href')).toBe('/setup');
    expect(await axe(page)).toEqual([]);
    expect(await nameOf()).toBe('');
    await page.reload();
    await page.getByRole('heading', { name: 'All settings were reset' }).waitFor();
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  }, 90_000);

  test('says what stays behind where the broker is away, and asks again', async () => {
    await setUp();
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/setup/reset`);
    // The reset before it is still told of.
    const others = page.getByText('Reset something else');
    await others.click();
    await page.locator('[data-reset="connection"]:not([disabled])').waitFor();
    await broker.kill();
    await page.locator('[data-reset="connection"]').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the connection' }).click();
    const second = page.getByRole('dialog', { name: 'Reset without the broker?' });
    await second.waitFor({ timeout: 20_000 });
    expect(await second.innerText()).toContain('homeassistant/device/sconce_');
    await second.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Failed: Nothing was reset').waitFor();
    expect(await nameOf()).toBe('Hall');

    await others.click();
    await page.locator('[data-reset="connection"]:not([disabled])').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the connection' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset anyway' }).click();
    await page
      .getByRole('heading', { name: 'The connection to Home Assistant was reset' })
      .waitFor({ timeout: 30_000 });
    await page.getByText('1 device of this panel stays in Home Assistant').waitFor();
    expect(await nameOf()).toBe('Hall');
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  }, 90_000);
});

describe.skipIf(noBrowser)('a reset that waits for the disk', () => {
  test.each([
    ['takes it back', 200, 'The reset was cancelled'],
    ['says why it cannot be taken back', 507, 'Failed: '],
  ])(
    '%s on Cancel',
    async (_, answered, words) => {
      const [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
      const origin = `http://panel.local:${agent.port}`;
      const { page, context } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
      // What the panel answers with a reset that its disk refused; the rest is its own.
      const asked: string[] = [];
      let isWaiting = true;
      let isOvertaken = false;
      await page.route('**/api/v1/setup/reset', async (route) => {
        // The look that follows the answer is overtaken by another one, which draws the page.
        if (asked.length > 0 && !isOvertaken) {
          isOvertaken = true;
          await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
        }
        const own = await fetch(`${agent.url}/api/v1/setup/reset`);
        const document = (await own.json()) as Readonly<Record<string, unknown>>;
        const last = { scope: 'settings', at: Date.now(), left_behind: 0, finished: false, failure: 'ENOSPC' };
        await route.fulfill({ json: isWaiting ? { ...document, last } : document });
      });
      await page.route('**/api/v1/setup/reset/cancel', async (route) => {
        asked.push(route.request().method());
        isWaiting = answered !== 200;
        await route.fulfill({
          status: answered,
          json: isWaiting ? { error: 'commit-failed', message: 'The disk is full.' } : { ok: true },
        });
      });
      await page.goto(`${origin}/setup/reset`);
      const cancel = page.locator('[data-cancel]:not([disabled])');
      await cancel.waitFor();
      expect(await axe(page)).toEqual([]);
      await cancel.click();
      await page.getByText(words).waitFor();
      expect(asked).toEqual(['POST']);
      await until(
        'the page to follow',
        async () => (await page.locator('[data-cancel]').count()) === (isWaiting ? 1 : 0),
      );
      await page.getByText(words).waitFor();
      await context.close();
      await closePages(browser);
      clearAway();
    },
    90_000,
  );
});

describe.skipIf(noBrowser)('a reset of an agent that nothing starts again', () => {
  test('says what to do once a restart is over and nothing answers', async () => {
    const [browser, agent] = await Promise.all([startBrowser(), startAgent({ args: ['--name', 'Hall'] })]);
    const origin = `http://panel.local:${agent.port}`;
    const { page, context } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.clock.install();
    await page.goto(`${origin}/setup/reset`);
    await page.locator('[data-reset="settings"]:not([disabled])').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset all settings' }).click();
    await page.getByText('The reset is prepared. Sconce is restarting.').waitFor();
    await agent.ended;
    // The half minute begins once the page has noticed that the panel does not answer.
    await until('the page to tell it', async () => {
      await page.clock.fastForward(10_000);
      return page.getByText('Start it the way you did before').isVisible();
    });
    expect(await page.locator('progress').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await context.close();
    await closePages(browser);
    clearAway();
  }, 90_000);
});
