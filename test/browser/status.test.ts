import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { noBrowser, openPage, readStatus, startBrowser, untilStatus, type WatchedPage } from './browser.ts';

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
    await browser.close();
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
    await page.getByText('Back as it was.').waitFor();
    await untilStatus(
      agent.url,
      'all as before',
      (status) => JSON.stringify(look(status)) === JSON.stringify(look(before)),
    );
  });

  test('a try is taken back at once when the page is closed', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Try it: Screen' }).click();
    await untilStatus(agent.url, 'a dark screen', (status) => status.screen?.lit === false);
    await page.goto('about:blank');
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
          capabilities,
          next: {
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
    await page.locator('#capability-screen summary').click();
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
    await page.locator('#capability-volume summary').click();
    const level = (await readStatus(agent.url)).volume?.percent === 33 ? 34 : 33;
    await fetch(`${agent.url}/api/v1/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ a: 'volume', value: level }),
    });
    await page.locator('#volume-value', { hasText: `${level} %` }).waitFor();
    expect(await page.locator('#capability-volume').getAttribute('open')).not.toBeNull();
    expect(await page.evaluate("document.activeElement.closest('details').id")).toBe('capability-volume');
  });

  test('says "not live" when the panel is gone, and heals by itself', async () => {
    const { page } = watched;
    await agent.kill('SIGKILL');
    await page.getByText('not live').waitFor();
    await page.getByRole('switch', { name: 'Screen' }).click();
    await page.getByText('Not done: the panel does not answer').waitFor();
    agent = await startAgent({ port: agent.port, data: agent.data });
    await page.getByText('not live').waitFor({ state: 'hidden', timeout: 15_000 });
  });
});
