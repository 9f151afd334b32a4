import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

const sizes = [
  { width: 360, height: 640 },
  { width: 480, height: 480 },
  { width: 1280, height: 800 },
];

describe.skipIf(noBrowser)('the inspector', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent({ args: ['--inspect'] })]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  const act = (a: string, value: number): Promise<Response> =>
    fetch(`${agent.url}/api/v1/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ a, value }),
    });
  // A scheme changes colours alone: a plain run sees each size in one of both, in turn.
  const cases = sizes.flatMap((size, index) =>
    (['light', 'dark'] as const)
      .filter((_, turn) => amount((index + turn) % 2 === 0, true))
      .map((scheme) => ({ scheme, ...size })),
  );

  describe.each([true, false])('is found without fault, for a finger: %s', (hasTouch) => {
    let watched: WatchedPage;

    beforeAll(async () => {
      watched = await openPage(browser, origin, { reducedMotion: 'reduce', hasTouch });
      await watched.page.goto(`${origin}/inspector?part=publisher`);
      await watched.page.locator('.event').first().waitFor();
    });
    afterAll(() => watched.context.close());

    const own = cases.filter(({ width }) => width < 700 === hasTouch);
    test.each(own)('and fits at $width x $height, $scheme', async ({ width, height, scheme }) => {
      const { page, faults } = watched;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // A plain run audits it as on a phone.
      if (amount(hasTouch, true)) expect(await axe(page)).toEqual([]);
      const small = await page.evaluate<string[]>(
        "Array.from(document.querySelectorAll('main a, main button, main label')).filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().height < 48).map((e) => e.outerHTML.slice(0, 120))",
      );
      expect(small).toEqual([]);
      expect(faults).toEqual([]);
    });
  });

  test('lights the state that the part is in now, and tells the event that led there', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/inspector?part=screen`);
    await page.locator('.event').first().waitFor();
    const lit = (): Promise<string[]> => page.locator('.box.is-lit > .box-head > .box-name').allInnerTexts();
    await expect.poll(lit).toEqual(['ready', 'idle']);
    await page.locator('[data-filter="own"]').check();
    expect((await act('brightness', 77)).status).toBe(202);
    await page.locator('.event-name', { hasText: 'screen.set' }).first().waitFor();
    expect(await page.locator('.event-state', { hasText: 'ready › writing' }).count()).toBeGreaterThan(0);
    await expect.poll(lit).toEqual(['ready', 'idle']);
    const actors = await page.locator('.event-actor').allInnerTexts();
    expect(actors.every((actor) => actor === 'screen' || actor.startsWith('screen › '))).toBe(true);
    // As a number of its own: a time may hold the same digits.
    expect(await page.locator('.events').innerText()).not.toMatch(/\b77\b/);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('goes to another part without leaving the page, and holds still when it is told to', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/inspector`);
    await page.locator('.event').first().waitFor();
    expect(await page.locator('#inspect-chart').innerText()).toBe('screen');
    await page.locator('[data-part="volume"]').click();
    // The events may come before the charts.
    await page.locator('#inspect-chart', { hasText: /^volume$/ }).waitFor();
    expect(page.url()).toBe(`${origin}/inspector?part=volume`);
    expect(await page.locator('[data-part][aria-current="true"]').getAttribute('data-part')).toBe('volume');
    const few = await page.locator('.inspect-chart .way').count();
    await page.locator('[data-filter="all"]').check();
    expect(await page.locator('.inspect-chart .way').count()).toBeGreaterThan(few);
    await page.locator('[data-hold]').click();
    const held = await page.locator('.events').innerText();
    await act('volume', 31);
    // The tree goes on: the mark at the part shows that the event has arrived.
    await page.locator('[data-part="volume"].is-stirred').waitFor();
    expect(await page.locator('.events').innerText()).toBe(held);
    await page.locator('[data-hold]').click();
    await page.locator('.event-name', { hasText: 'volume.set' }).first().waitFor();
    await context.close();
  });

  test('leads on a phone from the list of parts to the chart of the one that was chosen', async () => {
    const { page, context } = await openPage(browser, origin, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.goto(`${origin}/inspector`);
    await page.locator('.event').first().waitFor();
    expect((await page.locator('#inspect-chart').boundingBox())?.y).toBeGreaterThan(600);
    await page.locator('[data-part="volume"]').tap();
    await page.locator('#inspect-chart', { hasText: /^volume$/ }).waitFor();
    await expect.poll(async () => (await page.locator('#inspect-chart').boundingBox())?.y).toBeLessThan(200);
    await context.close();
  });

  test('reads without scripts, a part by its link', async () => {
    const { page, context } = await openPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${origin}/inspector`);
    await page.locator('[data-part="screen"]').click();
    expect(await page.locator('#inspect-chart').innerText()).toBe('screen');
    expect(await page.locator('.box.is-lit').count()).toBeGreaterThan(0);
    await context.close();
  });

  test('is not there without the flag', async () => {
    const plain = await startAgent();
    expect((await fetch(`${plain.url}/inspector`)).status).toBe(404);
    expect((await fetch(`${plain.url}/assets/inspector.js`)).status).toBe(200);
  });
});
