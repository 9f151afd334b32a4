import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { amount } from '#test/fakes/amount.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { followed, preferred, type RoomPanel, startRoomPanel } from './room-panel.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 480, height: 480 },
  { width: 1280, height: 800 },
];

/** Bytes of all scripts, all styles and the HTML (look: "Weight"). */
const budgets: Readonly<Record<string, number>> = { script: 40_000, stylesheet: 20_000, document: 40_000 };

/** What is to be tapped and is lower than 48 px, as its markup begins. */
const lowTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(
    "Array.from(document.querySelectorAll('main a,main button,main .range,main .input,main summary')).filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().height < 48).map((e) => e.outerHTML.slice(0, 120))",
  );

const minimum = 'auto_brightness_minimum_percent';
const maximum = 'auto_brightness_maximum_percent';

describe.skipIf(noBrowser)('the page Screen and room', () => {
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
  const asked = (type: string): readonly unknown[] => panel.told.filter(({ event }) => event.type === type);
  const slide = (page: Page, name: string, value: number) => page.locator(`#${name}`).fill(String(value));

  test.each(['light', 'dark'] as const)('fits every screen in %s, and axe finds nothing', async (colorScheme) => {
    panel.show(preferred(Date.now()));
    const { page, context, faults } = await open({ colorScheme, hasTouch: true });
    await page.locator('#room-sources summary').click();
    await page.getByText('Hall light').waitFor();
    await slide(page, minimum, 40);
    await page.locator('.plot-saved').first().waitFor();
    for (const [index, size] of sizes.entries()) {
      await page.setViewportSize(size);
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${size.width}`).toBeLessThanOrEqual(
        size.width,
      );
      expect(await lowTargets(page)).toEqual([]);
      // A plain run audits one size in each scheme, the first and the second.
      if (amount(index === ['light', 'dark'].indexOf(colorScheme), true)) expect(await axe(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('weighs no more than a page may, with a whole week', async () => {
    const { page, context } = await openPage(browser, panel.url);
    const weights: Record<string, number> = {};
    const bodies: Promise<void>[] = [];
    page.on('response', (response) => {
      const type = response.request().resourceType();
      if (!(type in budgets)) return;
      bodies.push(
        response.body().then((body) => {
          weights[type] = (weights[type] ?? 0) + body.byteLength;
        }),
      );
    });
    await page.goto(`${panel.url}/room`, { waitUntil: 'load' });
    await Promise.all(bodies);
    for (const [type, most] of Object.entries(budgets)) {
      expect(weights[type], type).toBeGreaterThan(1000);
      expect(weights[type], type).toBeLessThan(most);
    }
    await context.close();
  });

  test('reads without scripts: the decision, the sensor, and the week', async () => {
    const { page, context } = await open({ javaScriptEnabled: false });
    const words = await page.locator('main').innerText();
    expect(words).toContain('darker than usual for this hour');
    expect(words).toMatch(/120 lx, \d+ s ago|120 lx, just now/);
    expect((await page.locator('.plot-mean').first().getAttribute('d'))?.length).toBeGreaterThan(1000);
    expect(await page.locator('main button:not([disabled]):not([data-source])').filter({ visible: true }).count()).toBe(
      0,
    );
    await context.close();
  });

  test('follows the decision, and a choice ends with one press', async () => {
    const { page, context } = await open();
    panel.show(preferred(Date.now()));
    await page.getByText('you chose 60 % 40 min ago').waitFor();
    await page.getByRole('button', { name: 'Back to automatic' }).click();
    await until('the choice ends', () => asked('auto-brightness.resume').length === 1);
    panel.show(followed);
    await page.getByRole('button', { name: 'Back to automatic' }).waitFor({ state: 'detached' });
    await page.getByText('The level is automatic again.').waitFor();
    await context.close();
  });

  test('previews a slider in the chart, and saves it only when told', async () => {
    const { page, context } = await open();
    const level = page.locator('.plot-level .plot-proposed');
    const before = await level.getAttribute('d');
    await slide(page, minimum, 40);
    await page.locator('.plot-level .plot-saved').waitFor();
    expect(await level.getAttribute('d')).not.toBe(before);
    expect(asked('auto-brightness.chart')).toContainEqual({
      id: 'auto-brightness',
      event: {
        type: 'auto-brightness.chart',
        hours: 168,
        preview: { minimumPercent: 40, maximumPercent: 100, responsePercent: 50 },
      },
    });
    expect([panel.values()[minimum], asked('settings.merge')]).toEqual([4, []]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.plot-level .plot-saved').waitFor({ state: 'detached' });
    expect(await page.locator(`#${minimum}`).inputValue()).toBe('4');
    await slide(page, minimum, 30);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(panel.values()[minimum]).toBe(30);
    await page.locator('.plot-level .plot-saved').waitFor({ state: 'detached' });
    await context.close();
  });

  test('keeps the brightest above the darkest while either moves', async () => {
    const { page, context } = await open();
    await slide(page, maximum, 60);
    await slide(page, minimum, 80);
    expect(await page.locator(`#${maximum}`).inputValue()).toBe('81');
    await slide(page, maximum, 20);
    expect(await page.locator(`[data-of="${minimum}"]`).innerText()).toBe('19 %');
    await context.close();
  });

  test('asks before unsaved values are lost', async () => {
    const { page, context } = await open();
    await page.locator(`#${minimum}`).focus();
    await page.keyboard.press('ArrowRight');
    const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await context.close();
  });

  test('asks before what was learned is forgotten', async () => {
    const { page, context } = await open();
    const forget = page.getByRole('button', { name: 'Forget what was learned' });
    await forget.click();
    await page.getByRole('heading', { name: 'Forget what was learned?' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(asked('auto-brightness.forget')).toEqual([]);
    await forget.click();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('Forgotten. It learns from now on.').waitFor();
    await page.getByText('There is no chart yet.').waitFor();
    expect(await page.locator('.plot, #room-days').count()).toBe(0);
    expect(asked('auto-brightness.forget')).toHaveLength(1);
    await context.close();
  });

  test('asks Home Assistant for sensors once they are looked at, and proves the one that is chosen', async () => {
    const { page, context } = await open();
    await page.getByText('darker than usual for this hour').waitFor();
    expect(asked('home-assistant.read')).toEqual([]);
    await page.locator('#room-sources summary').click();
    await page.getByRole('button', { name: 'Hall light' }).click();
    await page.getByText('Saved. It reads 145 lx now.').waitFor();
    expect(panel.values()['auto_brightness_ha_entity']).toBe('sensor.hall_illuminance');
    await page.getByText('Hall light, in Home Assistant').waitFor();
    expect(await page.locator('[data-source="sensor.hall_illuminance"]').getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Porch' }).click();
    await page.getByText('measures in °C (temperature), not in lx').waitFor();
    expect(panel.values()['auto_brightness_ha_entity']).toBe('sensor.hall_illuminance');
    await page.getByRole('button', { name: 'This panel’s own sensor' }).click();
    await page.locator('.room-reading', { hasText: '120 lx' }).waitFor();
    expect(panel.values()['auto_brightness_ha_entity']).toBe('');
    await context.close();
  });

  test('is switched off and on', async () => {
    const { page, context } = await open();
    const toggle = page.getByRole('switch', { name: 'Automatic brightness' });
    await toggle.click();
    await page.getByText('Automatic brightness is off.').waitFor();
    expect(panel.values()['auto_brightness']).toBe(false);
    await toggle.click();
    await page.getByText('darker than usual for this hour').waitFor();
    await page.locator('.plot-level').waitFor();
    await context.close();
  });

  test('says what would help where no light is measured', async () => {
    panel.show({ ...unknownRoom, why: 'no-source' });
    panel.measure(null);
    panel.signOut();
    const { page, context } = await open({ viewport: { width: 390, height: 844 } });
    expect(await page.locator('main').innerText()).toContain('There is no chart yet.');
    await page.getByRole('link', { name: 'Sign in to Home Assistant' }).click();
    await page.waitForURL('**/sign-in');
    await context.close();
  });
});
