import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settledFacts } from '#test/fakes/route-deps.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

const id = '0123456789abcdef'.repeat(2);

/** The facts of the approvals, as their part would show them. */
const approvals = {
  mode: 'hardened',
  unreadable: false,
  place: { kind: 'screen' },
  standing: { pending: 0, approved: 0 },
  shown: null,
  silent: false,
  barred: [],
  happened: [],
};

describe.skipIf(noBrowser)('a request that a person approves at the panel', () => {
  let browser: Browser;
  let panel: StandIn;
  let origin: string;
  let state: 'pending' | 'approved' | 'absent';
  let sent: (string | null)[];

  beforeAll(async () => {
    const facts = settledFacts();
    [browser, panel] = await Promise.all([
      startBrowser(),
      startStandIn((registry) => {
        for (const [name, context] of Object.entries(facts)) registry.put(name, context);
        registry.put('approvals', approvals);
      }),
    ]);
    origin = `http://panel.local:${panel.port}`;
  });
  afterAll(async () => {
    await closePages(browser);
    await panel.stop();
  });
  beforeEach(() => {
    state = 'pending';
    sent = [];
  });

  /** A page of a panel that asks before the first request to `path`, and carries out the second. */
  const open = async (page: string, path: string, done: object): Promise<Page> => {
    const watched = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await watched.page.clock.install();
    await watched.page.route(`**/api/v1/approvals/${id}`, (route) => route.fulfill({ json: { ok: true, id, state } }));
    await watched.page.route(`**${path}`, async (route: Route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent.push(route.request().postData());
      const asks = { ok: false, error: 'approval-required', message: 'Approve it at the panel.', approval_id: id };
      return route.fulfill({ status: 202, json: state === 'approved' ? done : asks });
    });
    await watched.page.goto(origin + page);
    return watched.page;
  };
  /** Lets two seconds go by until it is so. */
  const step = (page: Page, what: string, isSo: () => Promise<boolean> | boolean): Promise<unknown> =>
    until(what, async () => {
      await page.clock.runFor(2000);
      return isSo();
    });

  test('says so beside its button, and is repeated once with the same text', async () => {
    const page = await open('/', '/api/v1/action', { ok: true, action: 'reload' });
    const button = page.getByRole('button', { name: 'Reload' });
    await button.click();
    const line = page.locator('[data-note="buttons"]');
    await line.getByText('Approve at the panel').waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    state = 'approved';
    await step(page, 'the request to be repeated', () => sent.length === 2);
    await line.getByText('Sent.').waitFor();
    expect(sent).toEqual(['{"a":"reload"}', '{"a":"reload"}']);
    expect(await button.isDisabled()).toBe(false);
    expect(await page.locator('[data-asking]').count()).toBe(0);
    await page.context().close();
  }, 60_000);

  test('that was denied changed nothing, and one that is given up is not looked at', async () => {
    const page = await open('/', '/api/v1/action', {});
    const button = page.getByRole('button', { name: 'Reload' });
    const line = page.locator('[data-note="buttons"]');
    await button.click();
    await line.getByText('Approve at the panel').waitFor();
    state = 'absent';
    await step(page, 'the answer', () => line.getByText('It was denied or expired. Nothing was changed.').isVisible());
    state = 'pending';
    await button.click();
    await line.getByRole('button', { name: 'Cancel' }).click();
    await line.getByText('This page stopped waiting.').waitFor();
    expect(sent.length).toBe(2);
    await page.context().close();
  }, 60_000);

  test('is followed by a script that is loaded once, when the first of them waits', async () => {
    const page = await open('/', '/api/v1/action', { ok: true });
    let loads = 0;
    await page.route('**/assets/approval.js*', (route) => {
      loads += 1;
      return route.fallback();
    });
    const [home, reload] = ['Home dashboard', 'Reload'].map((name) => page.getByRole('button', { name }));
    expect(loads).toBe(0);
    await page.evaluate("for (const verb of ['home', 'reload']) document.querySelector(`[data-act=${verb}]`).click()");
    await until(
      'both to wait',
      async () => (await home?.isDisabled()) === true && (await reload?.isDisabled()) === true,
    );
    state = 'approved';
    await step(page, 'both to be repeated', () => sent.filter((body) => body === '{"a":"home"}').length === 2);
    await step(page, 'the answers', async () => (await page.locator('[aria-busy]').count()) === 0);
    expect(loads).toBe(1);
    await page.context().close();
  }, 60_000);

  test.each(['does not come', 'is not answered'])(
    'says what to do if that script %s, and is followed if it is sent again',
    async (how) => {
      const page = await open('/', '/api/v1/action', { ok: true });
      const held: Route[] = [];
      await page.route('**/assets/approval.js*', (route) =>
        how === 'does not come' ? route.abort() : held.push(route),
      );
      const button = page.getByRole('button', { name: 'Reload' });
      const line = page.locator('[data-note="buttons"]');
      await button.click();
      await step(page, 'the end', () => line.getByText('Approve it at the panel.').isVisible());
      expect(await button.isDisabled()).toBe(false);
      // The browser would wait for the first request.
      await Promise.all(held.map((route) => route.abort()));
      await page.unroute('**/assets/approval.js*');
      await button.click();
      await line.getByText('Approve at the panel').waitFor();
      expect(sent.length).toBe(2);
      await page.context().close();
    },
    60_000,
  );

  test('of a reset is not under way while it waits', async () => {
    const page = await open('/setup/reset', '/api/v1/setup/reset', { ok: true });
    await page.locator('[data-reset="settings"]:not([disabled])').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset all settings' }).click();
    await page.locator('[data-said]').getByText('Approve at the panel').waitFor();
    expect(await page.locator('progress').count()).toBe(0);
    expect(await page.locator('[data-reset]:not([disabled])').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByText('This page stopped waiting.').waitFor();
    expect(sent.length).toBe(1);
    await page.context().close();
  }, 60_000);

  test('of a form keeps what was typed, and says what is in force', async () => {
    const page = await open('/configure/identity', '/api/v1/config', {});
    await page.locator('[name=friendly_name]').fill('Kitchen');
    await page.locator('[data-save]').click();
    await page.locator('.save-bar').getByText('Approve at the panel').waitFor();
    expect(await page.locator('[data-save]').isDisabled()).toBe(true);
    state = 'absent';
    const denied = page.locator('.save-bar').getByText('It was denied or expired. Nothing was changed.');
    await step(page, 'the answer', () => denied.isVisible());
    expect(await page.locator('[name=friendly_name]').inputValue()).toBe('Kitchen');
    expect(await page.locator('[data-save]').isDisabled()).toBe(false);
    // The approval itself carried it out.
    await page.route('**/api/v1/config', async (route) => {
      if (route.request().method() === 'POST') return route.fallback();
      const own = await (await fetch(`http://127.0.0.1:${panel.port}/api/v1/config`)).json();
      const config = own as { readonly settings: object };
      return route.fulfill({ json: { ...config, settings: { ...config.settings, friendly_name: 'Kitchen' } } });
    });
    await page.locator('[data-save]').click();
    await step(page, 'the save', () => page.locator('.save-bar').getByText('Saved').isVisible());
    await page.context().close();
  }, 60_000);

  test('is refused with its reason beside the control', async () => {
    const page = await open('/', '/api/v1/nothing', {});
    await page.route('**/api/v1/action', (route) =>
      route.fulfill({ status: 429, json: { ok: false, error: 'too-many-approvals', message: 'Three wait already.' } }),
    );
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('[data-note="buttons"]').getByText('Failed: Three wait already.').waitFor();
    await page.context().close();
  }, 60_000);

  test('waits unshown: the panel’s own screen has a button, others are told', async () => {
    panel.registry.put('approvals', { ...approvals, standing: { pending: 2, approved: 0 } });
    const { page, context } = await openPage(browser, origin);
    await page.goto(origin);
    await page.getByText('A request waits at the panel.').waitFor();
    expect(await page.getByRole('button', { name: 'Show what waits' }).count()).toBe(0);
    await page.addInitScript('window.asked = []; window.sconcePanel = { wants: (what) => window.asked.push(what) }');
    await page.goto(origin);
    await page.getByRole('button', { name: 'Show what waits' }).click();
    await page.goto(`${origin}/security`);
    await page.getByRole('button', { name: 'Leave Hardened mode' }).click();
    expect(await page.evaluate('window.asked')).toEqual(['relaxed']);
    expect(await axe(page)).toEqual([]);
    await context.close();
  }, 60_000);
});
