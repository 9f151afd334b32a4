import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openAssets } from '#bin/assets.ts';
import { readBundles } from '#bin/build-facts.ts';
import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { proximityDecisions } from '#profiles/drivers/proximity.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';
import { type LiveAgent, startLive } from '#test/scenarios/live-agent.ts';
import { type SteppedClock, steppedClock } from '../fakes/sample-clock.ts';
import { withSlots } from '../fakes/with-slots.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';

const folder = fileURLToPath(new URL('../../dist', import.meta.url));

/** Buttons of the calibration that the navigation or the end of the screen covers. */
const covered = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    "(() => { const nav = document.querySelector('.nav').getBoundingClientRect(); const end = nav.width > 200 ? nav.top : innerHeight; window.scrollTo(0, 0); return [...document.querySelectorAll('.px-acts button')].filter((e) => e.getBoundingClientRect().bottom > end || e.getBoundingClientRect().top < 0).map((e) => e.textContent); })()",
  );

describe.skipIf(noBrowser)('the page Proximity', () => {
  let browser: Browser;
  let live: LiveAgent;
  let clock: SteppedClock;
  const device = new SimulatedDevice();

  beforeAll(async () => {
    clock = steppedClock(Date.now());
    [browser, live] = await Promise.all([
      startBrowser(),
      startLive({
        assets: openAssets(`${folder}/assets.pack`),
        bundles: readBundles(`${folder}/pages.json`),
        profile: withSlots(simulatedProfile(device), {
          proximity: { id: 'proximity', driver: simulatedProximity(device, proximityDecisions, clock) },
        }),
      }),
    ]);
  });
  afterAll(async () => {
    await closePages(browser);
    await live.close();
  });

  const wave = (): void => {
    clock.pass(1200);
    device.setProximity(900);
    clock.pass(500);
    device.setProximity(40);
    clock.pass(1200);
  };

  test('leads through a calibration, and each step and the way out fit on a small square panel', async () => {
    const origin = `http://panel.local:${new URL(live.url).port}`;
    const { page, context, faults } = await openPage(browser, origin, {
      viewport: { width: 480, height: 480 },
      hasTouch: true,
    });
    const says = async (words: string): Promise<void> => {
      await page.locator('.px-say', { hasText: words }).waitFor();
      expect(await covered(page)).toEqual([]);
    };
    // The page says that it is there every five seconds of its own; the sensor's time is ahead of it.
    const pass = async (ms: number): Promise<void> => {
      const id: unknown = (
        (await (await fetch(`${live.url}/api/v1/proximity`)).json()) as { readonly sessionId: unknown }
      ).sessionId;
      const beat = await fetch(`${live.url}/api/v1/proximity/calibration`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-proximity-ui': '1', origin: live.url },
        body: JSON.stringify({ action: 'heartbeat', sessionId: id }),
      });
      expect(beat.status).toBe(202);
      clock.pass(ms);
    };
    clock.pass(1000);
    await page.goto(`${origin}/proximity-setup`);
    await page.getByRole('button', { name: 'Calibrate' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(await covered(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await says('Step away');
    expect(await axe(page)).toEqual([]);
    await pass(13_200);
    await page.locator('[data-cue="approach"]').waitFor();
    expect(await covered(page)).toEqual([]);
    device.setProximity(900);
    await pass(9000);
    await page.locator('[data-cue="hold"]').waitFor();
    expect(await covered(page)).toEqual([]);
    await pass(4200);
    await page.locator('[data-cue="move_away"]').waitFor();
    device.setProximity(40);
    await pass(13_200);
    await page.locator('[data-cue="prepare"]').waitFor();
    await pass(13_200);
    await says('Wave with your hand');
    for (let count = 0; count < 3; count += 1) wave();
    await page.getByText('2 of 3').waitFor();
    expect(await covered(page)).toEqual([]);
    wave();
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await covered(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Calibrate again' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('stops a calibration and keeps the one before', async () => {
    const origin = `http://panel.local:${new URL(live.url).port}`;
    const { page, context } = await openPage(browser, origin);
    await page.goto(`${origin}/proximity-setup`);
    await page.getByRole('button', { name: 'Calibrate again' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Calibrate again' }).waitFor();
    await context.close();
  });
});
