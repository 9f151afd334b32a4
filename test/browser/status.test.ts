import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import {
  axe,
  closePages,
  noBrowser,
  openPage,
  readStatus,
  startBrowser,
  untilStatus,
  type WatchedPage,
} from './browser.ts';

describe.skipIf(noBrowser)('the status page', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let watched: WatchedPage;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin);
    await watched.page.goto(`${origin}/`);
    await watched.page.locator('[data-act]:not([disabled])').first().waitFor();
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('switches the screen, and the drawing follows', async () => {
    const { page, faults } = watched;
    const toggle = page.getByRole('switch', { name: 'Screen' });
    await toggle.click();
    await untilStatus(agent.url, 'a dark screen', (status) => status.screen?.lit === false);
    await page.locator('svg.panel[aria-label*="the screen is off"]').waitFor();
    expect(await toggle.getAttribute('aria-checked')).toBe('false');
    await toggle.click();
    await page.locator('svg.panel[aria-label*="the screen is on"]').waitFor();
    expect(faults).toEqual([]);
  });

  test('a slider moved by keys arrives and its last value wins', async () => {
    const { page } = watched;
    const slider = page.getByRole('slider', { name: 'Brightness' });
    await slider.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowRight');
    await untilStatus(agent.url, 'brightness 41', (status) => status.screen?.brightness === 41);
    await page.getByRole('slider', { name: 'Volume' }).focus();
    await page.keyboard.press('End');
    await untilStatus(agent.url, 'full volume', (status) => status.volume?.percent === status.volume?.limit_percent);
  });

  test.each(['Screen', 'Brightness', 'Volume'])('trying %s counts down and takes itself back', async (name) => {
    const { page } = watched;
    // The page counts down by itself.
    await page.clock.install();
    const before = await readStatus(agent.url);
    const look = (status: typeof before): unknown[] => [
      status.screen?.lit,
      status.screen?.brightness,
      status.volume?.percent,
    ];
    await page.getByRole('button', { name: `Try it: ${name}` }).click();
    await page.getByText(/Back in [45] s/).waitFor();
    await untilStatus(
      agent.url,
      'something tried',
      (status) => JSON.stringify(look(status)) !== JSON.stringify(look(before)),
    );
    await page.clock.runFor(5000);
    await page.getByText('Back to how it was.').waitFor();
    await untilStatus(
      agent.url,
      'all as before',
      (status) => JSON.stringify(look(status)) === JSON.stringify(look(before)),
    );
  });

  test.each([
    ['closed', (page: Page): Promise<unknown> => page.goto('about:blank')],
    [
      'hidden, as by a phone that is locked',
      (page: Page): Promise<unknown> =>
        page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))"),
    ],
  ])('a try is taken back at once when the page is %s', async (_, leave) => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Try it: Screen' }).click();
    await untilStatus(agent.url, 'a dark screen', (status) => status.screen?.lit === false);
    await leave(page);
    await untilStatus(agent.url, 'the screen back on', (status) => status.screen?.lit === true, 3_000);
  });

  test('asks before a reboot; Escape changes nothing', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await readStatus(agent.url)).power?.last_reboot).toBeNull();
    await page.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('button', { name: 'Reboot now' }).click();
    await page.getByText('The panel was told to reboot.').waitFor();
    await untilStatus(agent.url, 'a reboot', (status) => status.power?.last_reboot !== null);
  });

  test('checks again, opens the evidence, and copies a command on an insecure origin', async () => {
    const { page } = watched;
    const command = 'sudo apt-get install <a "quoted" thing>';
    // No capability of the simulated panel needs a command, so this answer is made up.
    await page.route('**/api/v1/status?refresh=1', async (route) => {
      const answer = await readStatus(agent.url);
      const capabilities = answer.capabilities.map((row) =>
        row.id === 'screen'
          ? { ...row, state: 'needs_you', missing: 'A tool.', fix: { command, effect: 'Installs the tool.' } }
          : row,
      );
      await route.fulfill({
        json: {
          ...answer,
          // Not what the page was drawn from.
          taken_at: answer.taken_at + 1,
          capabilities,
          next: {
            title: 'Install a tool',
            sentence: 'A tool is missing.',
            fix: { command: `${command} ${'x'.repeat(200)}`, effect: 'Installs the tool.' },
            href: null,
          },
        },
      });
    });
    // The stream, which the page closes when it is left, would put the true status back.
    await page.evaluate("dispatchEvent(new Event('pagehide'))");
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText(/Checked at \d\d:\d\d:\d\d/).waitFor();
    for (const width of [360, 480, 1280]) {
      await page.setViewportSize({ width, height: 480 });
      expect(
        await page.evaluate(
          "Array.from(document.querySelectorAll('main *')).filter((e) => e.getClientRects().length > 0 && !e.closest('code,svg,.unseen') && e.getBoundingClientRect().right > innerWidth).length",
        ),
      ).toBe(0);
    }
    await page.locator('#capability-screen').getByRole('button', { name: 'Copy' }).click();
    await page.locator('#capability-screen').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('window.isSecureContext')).toBe(false);
    await page.evaluate(
      "document.body.appendChild(Object.assign(document.createElement('textarea'), {id: 'paste'})).focus()",
    );
    await page.keyboard.press('Control+V');
    expect(await page.locator('#paste').inputValue()).toBe(command);
  });

  test('really probes when asked to check again', async () => {
    const { page, faults } = watched;
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText(/Checked at/).waitFor();
    expect(faults).toEqual([]);
  });

  test('an open row stays open, and focus stays, while the status changes', async () => {
    const { page } = watched;
    const fold = page.locator('#capabilities-working');
    await fold.locator('summary').click();
    const level = (await readStatus(agent.url)).volume?.percent === 33 ? 34 : 33;
    await fetch(`${agent.url}/api/v1/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ a: 'volume', value: level }),
    });
    await page.locator('#volume-value', { hasText: `${level} %` }).waitFor();
    expect(await fold.getAttribute('open')).not.toBeNull();
    expect(await page.evaluate("document.activeElement.closest('details').id")).toBe('capabilities-working');
  });

  test('takes at most two screens of a phone, new and working', async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    const height = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollHeight');
    await page.locator('.summary-sentence', { hasText: 'Set up this panel' }).waitFor();
    expect(await height()).toBeLessThanOrEqual(2 * 844);
    // There is no Home Assistant here, so this answer is made up.
    await page.route('**/api/v1/status?refresh=1', async (route) => {
      const answer = await readStatus(agent.url);
      const capabilities = answer.capabilities.map((row) =>
        ['mqtt', 'platform', 'sign-in'].includes(row.id) ? { ...row, state: 'working' } : row,
      );
      const sentence = 'This simulated panel is working, with 24 entities announced to Home Assistant.';
      const platform = answer.platform && { ...answer.platform, seen: true };
      const taken_at = answer.taken_at + 1;
      await route.fulfill({
        json: { ...answer, taken_at, state: 'working', sentence, next: null, capabilities, platform },
      });
    });
    await page.evaluate("dispatchEvent(new Event('pagehide'))");
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('#links-working').waitFor();
    expect(await height()).toBeLessThanOrEqual(2 * 844);
    // The three links stand in one place.
    expect(await page.locator('main').getByText('The broker').filter({ visible: true }).count()).toBe(0);
  });

  test('leads to the very field that the next step is about, with the cursor in it', async () => {
    const { page, faults } = watched;
    await page.locator('.summary-sentence', { hasText: 'Set up this panel' }).waitFor();
    expect(await page.getByRole('link', { name: 'Go to the setting' }).count()).toBe(0);
    // As where the setup was put off.
    await page.route('**/api/v1/status?refresh=1', async (route) => {
      const { setup, ...answer } = await readStatus(agent.url);
      await route.fulfill({ json: { ...answer, setup: setup && { ...setup, due: false } } });
    });
    await page.evaluate("dispatchEvent(new Event('pagehide'))");
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('.summary-sentence', { hasText: 'Connect to your broker' }).waitFor();
    expect(await page.getByRole('link', { name: 'Set it up' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'steps of the setup are left' }).getAttribute('href')).toBe('/setup');
    await page.getByRole('link', { name: 'Go to the setting' }).click();
    await page.locator('#field-mqtt_broker:focus').waitFor();
    const field = await page.locator('#field-mqtt_broker').boundingBox();
    expect(field?.y).toBeGreaterThan(0);
    expect((field?.y ?? 9999) + (field?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
    // The password is behind a button, which was pressed.
    await page.goto(`${origin}/configure/mqtt#field-mqtt_password`);
    await page.reload();
    await page.locator('#field-mqtt_password:focus').waitFor();
    expect(faults).toEqual([]);
  });

  test('goes on with the setup as its steps are done, without being loaded again', async () => {
    const { page, context, faults } = await openPage(browser, origin);
    await page.goto(`${origin}/`);
    await page.locator('.summary-sentence', { hasText: 'Set up this panel' }).waitFor();
    const answer = (path: string, body: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${agent.url}/api/v1/setup/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await answer('identity', { answer: 'done' });
    await page.locator('.summary-sentence', { hasText: 'Continue: Home Assistant' }).waitFor();
    await page.getByText('2 steps are left.').waitFor();
    expect(await page.locator('.hero-words .button').allInnerTexts()).toEqual(['Continue the setup']);
    await page.getByRole('link', { name: 'Continue the setup' }).click();
    await page.locator('#step-home_assistant.is-open').waitFor();
    await page.goBack();
    await answer('attest', { answer: 'later' });
    await page.getByRole('link', { name: '2 steps of the setup are left' }).waitFor();
    expect(await page.locator('.summary-sentence').innerText()).toBe('Connect to your broker');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a link to what works opens its fold', async () => {
    const { page } = watched;
    await page.goto(`${origin}/#capability-volume`);
    await page.reload();
    await page.locator('#capabilities-working[open] #capability-volume').waitFor();
    await page.goto(`${origin}/#capability-sign-in`);
    await page.reload();
    await page.locator('#capability-sign-in[open]').waitFor();
  });

  test('switches each light and relay, and gives a light its colour', async () => {
    const { page, faults } = watched;
    await page.locator('#lights > summary').click();
    const led = page.getByRole('switch', { name: 'LED', exact: true });
    await led.click();
    await untilStatus(agent.url, 'the LED', (status) => status.lights.led?.on === true);
    await page.getByLabel('Colour: LED').fill('#00ff10');
    await untilStatus(agent.url, 'its colour', (status) => status.lights.led?.rgb?.join() === '0,255,16');
    await page.getByLabel('Brightness: LED').fill('10');
    await untilStatus(agent.url, 'its brightness', (status) => status.lights.led?.brightness === 10);
    await led.click();
    await untilStatus(agent.url, 'a dark LED', (status) => status.lights.led?.on === false);
    await page.locator('#relays > summary').click();
    await page.getByRole('switch', { name: 'Relay 3' }).click();
    await untilStatus(agent.url, 'relay 3', (status) => status.relays.relay3?.on === true);
    await page.locator('#relays', { hasText: '1 on' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('switch', { name: 'Relay 3' }).click();
    await untilStatus(agent.url, 'relay 3 open', (status) => status.relays.relay3?.on === false);
    expect(faults).toEqual([]);
  });

  test('plays a test sound and says what came of it', async () => {
    const { page, faults } = watched;
    await page.getByRole('button', { name: 'Test sound' }).click();
    await page.getByText('An announcement is playing.').waitFor();
    await page.getByText('The last sound was played.').waitFor({ timeout: 15_000 });
    expect((await readStatus(agent.url)).announcement).toMatchObject({ phase: 'idle', reason: null });
    expect(faults).toEqual([]);
  });

  test('a refusal is said at its own row, which goes back to what is true', async () => {
    const { page } = watched;
    const before = (await readStatus(agent.url)).screen;
    await page.route('**/api/v1/action', (route) =>
      route.fulfill({ status: 409, json: { ok: false, message: 'It does not want to.' } }),
    );
    const slider = page.getByRole('slider', { name: 'Brightness' });
    await slider.fill('200');
    const row = page.locator('[data-control]', { has: slider });
    await row.locator('.refused', { hasText: 'It does not want to.' }).waitFor();
    expect(await slider.inputValue()).toBe(String(before?.brightness ?? before?.last_brightness));
    expect(await page.locator('.refused').count()).toBe(1);
    // The next one that is done takes it back.
    await page.unroute('**/api/v1/action');
    await slider.fill('100');
    await row.locator('.refused').waitFor({ state: 'detached' });
  });

  test('a refusal before the first status goes back to what the page came with', async () => {
    const { page } = watched;
    // The stream stays without an answer.
    await page.route('**/api/v1/events', () => {});
    await page.route('**/api/v1/action', (route) =>
      route.fulfill({ status: 409, json: { ok: false, message: 'No.' } }),
    );
    await page.reload();
    const slider = page.getByRole('slider', { name: 'Brightness' });
    const before = await slider.inputValue();
    await slider.fill(before === '200' ? '201' : '200');
    await page.locator('.refused', { hasText: 'No.' }).waitFor();
    expect(await slider.inputValue()).toBe(before);
  });

  test('says "not live" when the panel is gone, and heals by itself', async () => {
    const { page } = watched;
    await agent.kill('SIGKILL');
    await page.getByText('not live').waitFor();
    const slider = page.getByRole('slider', { name: 'Brightness' });
    const before = await slider.inputValue();
    await slider.fill('201');
    const refusal = page.locator('[data-control]', { has: slider }).locator('.refused');
    await refusal.getByText('Failed: the panel does not answer').waitFor();
    expect(await slider.inputValue()).toBe(before);
    agent = await startAgent({ port: agent.port, data: agent.data });
    await page.getByText('not live').waitFor({ state: 'hidden', timeout: 15_000 });
    await refusal.waitFor({ state: 'detached' });
  });
});
