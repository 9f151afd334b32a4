import type { Browser, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SimulatedPanel } from '#machines/simulator/events.ts';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser, untilStatus, type WatchedPage } from './browser.ts';

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
    await closePages(browser);
  });
  beforeEach(async () => {
    watched = await openPage(browser, origin);
  });
  afterEach(async () => {
    await watched.context.close();
  });

  test('its buttons, relays and light are moved by hand', async () => {
    const { page, faults } = watched;
    await page.setViewportSize({ width: 480, height: 480 });
    await page.goto(`${origin}/simulator`);
    // A low screen shows what is pressed before the drawing.
    const [button, drawing] = [page.locator('.sim-button').first(), page.locator('svg.panel')];
    const bottom = (await button.boundingBox())?.y ?? 1e9;
    expect(bottom).toBeLessThan(300);
    expect(bottom).toBeLessThan((await drawing.boundingBox())?.y ?? 0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Press button 2' }).click();
    await page.locator('.sim-buttons', { hasText: 'just now' }).waitFor();
    expect((await panel()).buttons.map((at) => at !== null)).toEqual([false, true, false, false]);
    await page.getByRole('switch', { name: 'Relay 3' }).click();
    await page.locator('.relay-on').waitFor();
    expect((await panel()).relays[2]).toBe(true);
    await page.getByLabel('LED colour').fill('#00ff10');
    await page.locator('svg.panel[aria-label*="The LED is on"]').waitFor();
    expect((await panel()).led).toEqual({ on: true, red: 0, green: 255, blue: 16 });
    await page.getByRole('region', { name: 'Controls' }).getByRole('switch', { name: 'LED' }).click();
    await until(
      'the LED to go out, its colour kept',
      async () => JSON.stringify((await panel()).led) === JSON.stringify({ on: false, red: 0, green: 255, blue: 16 }),
    );
    await page.getByRole('slider', { name: 'Button backlight' }).fill('255');
    await page.locator('svg.panel[aria-label*="The button backlight is on"]').waitFor();
    await untilStatus(agent.url, 'the light behind the buttons', (status) => status.lights.buttons?.brightness === 255);
    await page.getByRole('slider', { name: 'Light on the sensor' }).focus();
    await page.keyboard.press('End');
    await until('the brightest light', async () => (await panel()).lux === 100_000);
    expect(faults).toEqual([]);
  });

  test('28 % are 28 % on every page, wherever they were set', async () => {
    const { page } = watched;
    const shown = async (path: string, level: number, percent: string): Promise<void> => {
      await untilStatus(agent.url, `level ${level}`, (status) => status.screen?.brightness === level);
      await page.goto(origin + path);
      await page.locator('.tile-value', { hasText: percent }).first().waitFor();
      await page.locator('output', { hasText: percent }).first().waitFor();
    };
    const set = async (path: string, label: string, level: number): Promise<void> => {
      await page.goto(origin + path);
      await page.getByRole('slider', { name: label }).fill(String(level));
    };
    await set('/', 'Brightness', 71);
    await shown('/', 71, '28 %');
    await shown('/simulator', 71, '28 %');
    await set('/simulator', 'Screen brightness', 184);
    await shown('/simulator', 184, '72 %');
    await shown('/', 184, '72 %');
  });

  test('a button is down as long as a finger or a key is on it', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/simulator`);
    const button = page.getByRole('button', { name: 'Press button 3' });
    const held = (wanted: boolean): Promise<unknown> =>
      until(`button 3 ${wanted ? 'down' : 'up'}`, async () => (await panel()).held[2] === wanted);
    await button.hover();
    await page.mouse.down();
    await held(true);
    await page.locator('.sim-button.is-held').waitFor();
    // The finger slides off before it is lifted.
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await held(false);
    await button.focus();
    await page.keyboard.down('Space');
    await held(true);
    await page.keyboard.up('Space');
    await held(false);
    // Also a page that still waits for an answer lets go when it is left.
    const headers = { 'Content-Type': 'application/json' };
    const unanswered = async (route: Route): Promise<void> => {
      if (route.request().method() !== 'POST') return route.continue();
      await fetch(`${agent.url}/api/v1/simulator`, { method: 'POST', headers, body: route.request().postData() });
    };
    await page.route(`${origin}/api/v1/simulator`, unanswered);
    await page.keyboard.down('Space');
    await held(true);
    // From here on no request goes through the test, where it would end with its page.
    await page.unroute(`${origin}/api/v1/simulator`, unanswered);
    await page.goto(`${origin}/more`);
    await held(false);
    expect(faults).toEqual([]);
  });

  test('the air, a hand before it and its radio are moved, and each part is unplugged and plugged in again', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/simulator`);
    for (const [name, key] of [
      ['Temperature', 'End'],
      ['Humidity', 'Home'],
      ['Proximity', 'End'],
      ['Load', 'End'],
    ] as const) {
      await page.getByRole('slider', { name, exact: true }).focus();
      await page.keyboard.press(key);
    }
    await until('the room to be as the sliders say', async () => {
      const { celsius, humidity, proximity, zigbee } = await panel();
      return celsius === 60 && humidity === 0 && proximity === 1000 && zigbee.cpuPercent === 100;
    });
    await page.getByRole('switch', { name: 'Joined a network' }).click();
    await page.getByRole('switch', { name: 'Program running' }).click();
    await until(
      'the radio to be down',
      async () =>
        JSON.stringify((await panel()).zigbee) === JSON.stringify({ running: false, joined: false, cpuPercent: 100 }),
    );
    const plugs = page.getByRole('region', { name: 'Connections' }).getByRole('switch');
    expect(await plugs.count()).toBe(10);
    for (const plug of await plugs.all()) await plug.click();
    // The keyboard alone was not plugged in.
    await until('everything else to be unplugged', async () => (await panel()).unplugged.length === 9);
    await page.getByRole('region', { name: 'The room' }).getByText('unplugged').nth(3).waitFor();
    expect(await page.locator('.front-button').count()).toBe(0);
    for (const plug of await plugs.all()) await plug.click();
    await until('everything to be back', async () => (await panel()).unplugged.join() === 'keyboard');
    await page.locator('.front-button').nth(3).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a day is played on the drawing, stepped by hand, and leaves the panel as it is', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/simulator`);
    const before = await panel();
    const card = page.getByRole('region', { name: 'A day in two minutes' });
    await card.getByRole('button', { name: 'Play' }).click();
    const time = card.getByRole('slider', { name: 'Time of day' });
    await time.waitFor({ timeout: 60_000 });
    await until('the day to go on by itself', async () => Number(await time.inputValue()) > 1);
    // 03:00, in the dark.
    await time.fill('36');
    await card.getByText(/^03:00, 0.2 lx, screen at \d %$/).waitFor();
    const [percent] = /\d %$/.exec(await card.locator('.day-words').innerText()) ?? [];
    await page.locator(`svg.panel[aria-label*=" ${percent}"]`).waitFor();
    await time.fill('150');
    await card.getByText(/^12:30, \d{3,4} lx, screen at \d{2,3} %/).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await panel()).toEqual(before);
    // A hand on the panel ends it.
    await page.getByRole('switch', { name: 'Relay 1' }).click();
    await card.getByText(/^12:30/).waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Relay 1' }).click();
    await until('the relay to open', async () => (await panel()).relays[0] === false);
    // Without motion it is only stepped by hand.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await card.getByRole('button', { name: 'Show it' }).click();
    await card.getByText(/^12:00/).waitFor();
    expect(await card.getByRole('button', { name: /Play|Stop/ }).count()).toBe(0);
    await card.getByRole('button', { name: 'Back to now' }).click();
    await card.getByText(/^12:00/).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('a hand on its screen is noticed by the agent', async () => {
    const { page } = watched;
    await page.goto(`${origin}/simulator`);
    await page.getByRole('switch', { name: 'Screen power' }).click();
    await untilStatus(agent.url, 'the dark screen to be noticed', (status) => status.screen?.lit === false);
    await page.locator('svg.panel[aria-label*="the screen is off"]').waitFor();
    await page.getByRole('switch', { name: 'Screen power' }).click();
    await untilStatus(agent.url, 'the lit screen to be noticed', (status) => status.screen?.lit === true);
  });

  test('the explorer lists every request, finds one, and sends it', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/api`);
    await page.locator('[data-tag]').first().waitFor();
    const documented = await page.evaluate<number>(
      "fetch('/api/v1/openapi.json').then((r) => r.json()).then((d) => Object.values(d.paths).reduce((n, item) => n + Object.keys(item).filter((m) => ['get','post','put','patch','delete'].includes(m)).length, 0))",
    );
    expect(await page.locator('.operation').count()).toBe(documented);
    await page.getByLabel('Find a request').fill('/api/v1/action');
    const row = page.locator('.operation:visible');
    expect(await row.count()).toBe(1);
    await row.locator('summary').click();
    await row.getByRole('textbox', { name: 'Body', exact: true }).fill('{"a":"volume","value":21}');
    await row.getByRole('button', { name: 'Send it' }).click();
    await row.getByText(/Response 202/).waitFor();
    expect(await row.locator('[data-output]').innerText()).toContain('"ok": true');
    await untilStatus(agent.url, 'the volume', (status) => status.volume?.percent === 21);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('the explorer fills in each way of a body, and each is taken', async () => {
    const { page, faults } = watched;
    await page.goto(`${origin}/api`);
    await page.locator('[data-tag]').first().waitFor();
    const open = async (path: string) => {
      await page.getByLabel('Find a request').fill(`post ${path}`);
      const row = page.locator('.operation:visible').first();
      await row.locator('summary').first().click();
      return row;
    };
    const send = async (row: Awaited<ReturnType<typeof open>>, status: number): Promise<string> => {
      await row.getByRole('button', { name: 'Send it' }).click();
      await row.getByText(new RegExp(`^Response ${status}`)).waitFor();
      return row.locator('[data-output]').innerText();
    };
    const simulator = await open('/api/v1/simulator');
    // As it stands: the example.
    await send(simulator, 202);
    await until('the example to be done', async () => (await panel()).buttons[0] !== null);
    await simulator.getByLabel('Send as').selectOption('application/x-www-form-urlencoded');
    await simulator.getByLabel('What to send').selectOption('Switches a relay behind the agent’s back');
    await simulator.getByLabel('relay', { exact: true }).fill('2');
    await simulator.getByLabel('closed').selectOption('true');
    expect(await axe(page)).toEqual([]);
    await send(simulator, 202);
    await until('the relay to close', async () => (await panel()).relays[1] === true);
    await simulator.getByLabel('What to send').selectOption('Presses a button once');
    await simulator.getByLabel('press').fill('9');
    expect(await send(simulator, 400)).toContain('from 1 to 4');
    await simulator.getByLabel('Send as').selectOption('application/json');
    await simulator.getByLabel('What to send').selectOption('Changes the air at the panel');
    await simulator.getByRole('textbox', { name: 'Body', exact: true }).fill('{"air":{"humidity":61}}');
    await send(simulator, 202);
    await until('the air to change', async () => (await panel()).humidity === 61);
    const play = await open('/api/v1/play');
    expect(await play.getByLabel('Send as').inputValue()).toBe('0');
    await play.getByRole('textbox', { name: 'Body', exact: true }).fill(`${agent.url}/nothing.mp3`);
    expect(JSON.parse(await send(play, 202))).toMatchObject({ ok: true, generation: 1 });
    const preview = await open('/api/v1/profiles/preview');
    expect(JSON.parse(await send(preview, 200))).toMatchObject({ valid: true });
    // What the browser says of the refusal itself.
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  test('the explorer folds other names and what is gone, and unfolds what is looked for', async () => {
    const { page } = watched;
    await page.goto(`${origin}/api`);
    const retired = page.locator('.operation', { hasText: '/api/v1/proximity/teach' }).first();
    await retired.waitFor({ state: 'attached' });
    expect(await retired.isVisible()).toBe(false);
    await page.getByLabel('Find a request').fill('proximity/teach');
    await retired.waitFor();
    await page.getByLabel('Find a request').fill('');
    await retired.waitFor({ state: 'hidden' });
    await page.getByText('About all requests').click();
    await page.getByText('Every answer carries').waitFor();
    // A family is folded until it is opened, or led to.
    expect(await page.locator('.operation:visible').count()).toBe(0);
    const families = page.locator('[data-tag]');
    await families.first().locator('summary').first().click();
    expect(await page.locator('.operation:visible').count()).toBeGreaterThan(0);
    const last = await families.last().getAttribute('id');
    await page.goto(`${origin}/more`);
    await page.goto(`${origin}/api#${last}`);
    await page.locator('[data-tag][open]').waitFor();
    expect(await page.locator('[data-tag][open]').getAttribute('id')).toBe(last);
  });
});
