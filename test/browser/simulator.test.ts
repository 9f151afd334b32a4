import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, noBrowser, openPage, startBrowser, untilStatus, type WatchedPage } from './browser.ts';

describe.skipIf(noBrowser)('the simulated panel and the explorer', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  let watched: WatchedPage;

  const panel = async (): Promise<SimulatedPanel> => {
    const response = await fetch(`${agent.url}/api/v1/simulator`);
    // The route is tested against this shape.
    return (await response.json()) as SimulatedPanel;
  };

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
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('its buttons, relays and light are moved by hand', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/simulator`);
    await page.getByRole('button', { name: 'Press button 2' }).click();
    await page.getByText('pressed just now').waitFor();
    expect((await panel()).buttons.map((at) => at !== null)).toEqual([false, true, false, false]);
    await page.getByRole('switch', { name: 'Relay 3' }).click();
    await page.locator('.relay-closed').waitFor();
    expect((await panel()).relays[2]).toBe(true);
    await page.getByLabel('Colour of the LED').fill('#00ff10');
    await page.locator('svg.panel[aria-label*="The LED is on"]').waitFor();
    expect((await panel()).led).toEqual({ on: true, red: 0, green: 255, blue: 16 });
    await page.getByRole('switch', { name: 'LED' }).click();
    await until('the LED to go out, its colour kept', async () => JSON.stringify((await panel()).led) === JSON.stringify({ on: false, red: 0, green: 255, blue: 16 }));
    await page.getByRole('slider', { name: 'Light on the sensor' }).focus();
    await page.keyboard.press('End');
    await until('the brightest light', async () => (await panel()).lux === 100_000);
    expect(faults).toEqual([]);
  });

  test('a hand on its screen is noticed by the agent', async () => {
    const { page } = watched;
    await page.goto(`${origin}/simulator`);
    await page.getByRole('switch', { name: /own switch/ }).click();
    await untilStatus(agent.url, 'the dark screen to be noticed', (status) => status.screen?.lit === false);
    await page.locator('svg.panel[aria-label*="the screen is off"]').waitFor();
    await page.getByRole('switch', { name: /own switch/ }).click();
    await untilStatus(agent.url, 'the lit screen to be noticed', (status) => status.screen?.lit === true);
  });

  test('the explorer lists every request, finds one, and sends it', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/api`);
    await page.locator('.operation').first().waitFor();
    const documented = await page.evaluate<number>("fetch('/api/v1/openapi.json').then((r) => r.json()).then((d) => Object.values(d.paths).reduce((n, item) => n + Object.keys(item).filter((m) => ['get','post','put','patch','delete'].includes(m)).length, 0))");
    expect(await page.locator('.operation').count()).toBe(documented);
    await page.getByLabel('Find a request').fill('/api/v1/action');
    const row = page.locator('.operation:visible');
    expect(await row.count()).toBe(1);
    await row.locator('summary').click();
    await row.getByRole('textbox', { name: 'Body', exact: true }).fill('{"a":"volume","value":21}');
    await row.getByRole('button', { name: 'Send it' }).click();
    await row.getByText(/Answer 202/).waitFor();
    expect(await row.locator('[data-output]').innerText()).toContain('"ok": true');
    await untilStatus(agent.url, 'the volume', (status) => status.volume?.percent === 21);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
