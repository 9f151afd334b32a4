import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { SleepView } from '#machines/auto-sleep/events.ts';
import { restingView } from '#machines/auto-sleep/off.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { type RoomPanel, startRoomPanel } from './room-panel.ts';

/** The room was empty for six minutes; the screen goes off in `leftMs`. */
const holding = (leftMs: number): SleepView => ({
  ...restingView,
  phase: 'holding',
  reason: 'presence_lease',
  until: Date.now() + leftMs,
  lastPresenceAt: Date.now() - 360_000,
  leaseMs: 600_000,
  sourceCount: 2,
  changes: [
    {
      at: Date.now() - 1_500_000,
      lit: true,
      by: 'presence',
      reason: 'source_active',
      sourceKey: '0'.padEnd(64, 'a'),
    },
  ],
});

describe.skipIf(noBrowser)('the sleep on the page Screen and room', () => {
  let browser: Browser;
  let panel: RoomPanel;

  beforeAll(async () => {
    [browser, panel] = await Promise.all([startBrowser(), startRoomPanel()]);
  });
  beforeEach(() => panel.restore());
  afterAll(async () => {
    await closePages(browser);
    await panel.close();
  });

  const open = async (options = {}) => {
    const watched = await openPage(browser, panel.url, { reducedMotion: 'reduce', ...options });
    await watched.page.goto(`${panel.url}/room`);
    return watched;
  };

  test('counts down, names the sensor that woke it, and fits a phone and a panel', async () => {
    panel.sleep(holding(50_000));
    const { page, context, faults } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.getByText('On: a sensor saw a person (Hall motion)').waitFor();
    await page.getByText('8 more are not used.').waitFor();
    const sentence = page.locator('[data-sentence]');
    const before = await sentence.innerText();
    expect(before).toMatch(/^Off in \d+ s: nobody in the room, last seen 6 min ago\.$/);
    await page.waitForFunction(`document.querySelector('[data-sentence]').textContent !== ${JSON.stringify(before)}`);
    for (const size of [
      { width: 390, height: 844 },
      { width: 480, height: 480 },
    ]) {
      await page.setViewportSize(size);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
      expect(await axe(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('leaves a sensor out, and lists the sensors again once the area is another', async () => {
    panel.sleep(holding(240_000));
    const { page, context } = await open();
    const desk = page.getByRole('switch', { name: 'Desk' });
    await desk.click();
    await page.getByText('It is left out.').waitFor();
    expect(await desk.getAttribute('aria-checked')).toBe('false');
    panel.move();
    await desk.click();
    await page.getByText('Nothing was saved; here they are').waitFor();
    await page.getByText('In Porch, by Home Assistant.').waitFor();
    expect(await desk.getAttribute('aria-checked')).toBe('true');
    await context.close();
  });

  test('asks for the last hours when told, and keeps them when that fails', async () => {
    panel.sleep(holding(240_000));
    const { page, context, faults } = await open();
    await page.getByRole('button', { name: 'Show the last hours' }).click();
    await page.getByText('Hall motion: saw a person for 3 h of 6 h').waitFor();
    expect(await axe(page)).toEqual([]);
    panel.failReplays();
    await page.getByRole('button', { name: 'Show the last hours' }).click();
    await page.getByText('Home Assistant did not answer. The last view is kept.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('Hall motion: saw a person for 3 h of 6 h').count()).toBe(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('is turned on after saying what its source needs', async () => {
    panel.source('home_assistant');
    const { page, context } = await open();
    await page.getByText('Auto-sleep is off.').waitFor();
    await page.locator('sconce-room-sleep [data-sleep]:not([disabled])').waitFor();
    await page.getByRole('switch', { name: 'Sleep in an empty room' }).click();
    await page.getByText('Home Assistant does not respond. Try again in a minute.').waitFor();
    expect(panel.values()['auto_sleep']).toBe(true);
    await context.close();
  });
});
