import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearAway, ownFolder, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { post, until } from '#test/scenarios/live-agent.ts';
import { closePages, noBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';

/** One event of a page's stream: its name, its size in characters, and when it came (epoch milliseconds). */
interface Came {
  readonly name: string;
  readonly size: number;
  readonly at: number;
}

/**
 * Notes each stream that the page opens, each event that comes and how each part begins that is drawn again; `hide`
 * makes the page hidden, or seen again.
 */
const spy = `
  window.streams = [];
  window.came = [];
  const Plain = window.EventSource;
  window.EventSource = class extends Plain {
    constructor(url) {
      super(url);
      window.streams.push(this);
      for (const name of ['status', 'change'])
        this.addEventListener(name, ({ data }) => window.came.push({ name, size: data.length, at: Date.now() }));
    }
  };
  window.drawn = [];
  const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  Object.defineProperty(Element.prototype, 'innerHTML', {
    get,
    set(markup) {
      if (this.tagName === 'TEMPLATE') window.drawn.push(markup.slice(0, 18));
      set.call(this, markup);
    },
  });
  let hidden = false;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  window.hide = (now) => {
    hidden = now;
    document.dispatchEvent(new Event('visibilitychange'));
  };
`;

describe.skipIf(noBrowser)('a live page', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;
  const tools = ownFolder();

  beforeAll(async () => {
    // A Git that knows no clone, so that no test asks a real origin.
    writeFileSync(join(tools, 'git'), `#!/bin/sh\ntouch ${join(tools, 'asked')}\nexit 1\n`, { mode: 0o755 });
    const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}` };
    [browser, agent] = await Promise.all([startBrowser(), startAgent({ env })]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  const open = async (path = '/'): Promise<WatchedPage> => {
    const watched = await openPage(browser, origin);
    await watched.page.addInitScript(spy);
    await watched.page.goto(`${origin}${path}`);
    await came(watched, 1);
    return watched;
  };
  const cameOn = ({ page }: WatchedPage): Promise<readonly Came[]> => page.evaluate<Came[]>('window.came');
  const came = (watched: WatchedPage, count: number): Promise<readonly Came[]> =>
    until(`${count} events`, async () => {
      const all = await cameOn(watched);
      return all.length >= count && all;
    });
  const streams = ({ page }: WatchedPage): Promise<readonly boolean[]> =>
    page.evaluate<boolean[]>('window.streams.map((stream) => stream.readyState !== EventSource.CLOSED)');
  const setVolume = (percent: number): Promise<Response> =>
    post(`${agent.url}/api/v1/action`, { a: 'volume', value: percent });

  /** Waits until each sensor of the room has been read so often again: that long the panel was awake and idle. */
  const untilRead = async (times: number): Promise<void> => {
    const path = `${agent.url}/api/v1/sensortrace?sensor=illuminance`;
    const newest = async (): Promise<number> => (await (await fetch(path)).text()).split('\n').length;
    const before = await newest();
    await until(`${times} readings`, async () => (await newest()) >= before + times, 30_000);
  };

  test('is sent nothing while the panel is idle, though its sensors are read', async () => {
    const watched = await open();
    // What the start of the agent still changes.
    await untilRead(5);
    const before = (await cameOn(watched)).length;
    await untilRead(8);
    expect((await cameOn(watched)).slice(before)).toEqual([]);
    await watched.context.close();
  });

  test('is sent what changed alone, and shows it within a second', async () => {
    const watched = await open();
    const before = (await cameOn(watched)).length;
    const asked = Date.now();
    await setVolume(31);
    await watched.page.locator('#volume-value', { hasText: '31 %' }).waitFor();
    const [change] = (await cameOn(watched)).slice(before);
    expect(change?.name).toBe('change');
    expect(change?.size).toBeLessThan(3_000);
    expect((change?.at ?? Infinity) - asked).toBeLessThan(1_000);
    await watched.context.close();
  });

  test('draws only the cards again that read what changed', async () => {
    const watched = await open();
    await untilRead(5);
    // What draws most cards is loaded with the first change.
    await setVolume(35);
    await until('all are drawn', async () => (await watched.page.evaluate<unknown[]>('window.drawn')).length > 8);
    await watched.page.evaluate('window.drawn.length = 0');
    await setVolume(36);
    await watched.page.locator('#volume-value', { hasText: '36 %' }).waitFor();
    expect(await watched.page.evaluate('window.drawn')).toEqual(['<svg class="panel"', '<div class="contro']);
    await watched.context.close();
  });

  test('connects anew after a missed event, and is right again', async () => {
    const watched = await open();
    await watched.page.evaluate(
      `window.streams[0].dispatchEvent(new MessageEvent('change', {
         data: JSON.stringify({ revision: 99, taken_at: 1, sections: { volume: null } }) }))`,
    );
    await until('a second stream', async () => (await streams(watched)).join() === 'false,true');
    await until(
      'a whole status',
      async () => (await cameOn(watched)).filter(({ name }) => name === 'status').length > 1,
    );
    await setVolume(32);
    await watched.page.locator('#volume-value', { hasText: '32 %' }).waitFor();
    await watched.context.close();
  });

  test.each(['/', '/glass'])(
    '%s has no stream while it is hidden, and is right when it is seen again',
    async (path) => {
      const watched = await open(path);
      await watched.page.evaluate('window.hide(true)');
      expect(await streams(watched)).toEqual([false]);
      await setVolume(path === '/' ? 33 : 34);
      await watched.page.evaluate('window.hide(false)');
      await until('a second stream', async () => (await streams(watched)).join() === 'false,true');
      if (path === '/') await watched.page.locator('#volume-value', { hasText: '33 %' }).waitFor();
      await watched.context.close();
    },
  );

  test('looks for updates when its button is pressed, not before, and shows the answer as it comes', async () => {
    const { page, context, faults } = await open('/about');
    await page.getByText('Sconce never looks for updates on its own.').waitFor();
    expect(existsSync(join(tools, 'asked'))).toBe(false);
    await page.getByRole('button', { name: 'Look for updates' }).click();
    await page.getByText('This copy of Sconce is not a Git clone').waitFor();
    expect(existsSync(join(tools, 'asked'))).toBe(existsSync('.git'));
    expect(faults).toEqual([]);
    await context.close();
  });

  test('puts a slider back that the panel did not follow', async () => {
    const watched = await open();
    await setVolume(35);
    await watched.page.locator('#volume-value', { hasText: '35 %' }).waitFor();
    // A device that is slow at times: 150 ms go by whenever something is put off.
    await watched.page.evaluate(`{
      const later = window.setTimeout.bind(window);
      window.setTimeout = (...given) => {
        const timer = later(...given);
        for (const end = performance.now() + 150; performance.now() < end; );
        return timer;
      };
    }`);
    // Refused, as by a panel that cannot: nothing changes, so that no event says so.
    let refuse = (): void => {};
    const seen = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await watched.page.route('**/api/v1/action', async (route) => {
      await seen;
      await route.fulfill({ status: 409, json: { ok: false, message: 'No.' } });
    });
    const slider = watched.page.getByRole('slider', { name: 'Volume' });
    await slider.fill('80');
    await watched.page.locator('#volume-value', { hasText: '80 %' }).waitFor();
    refuse();
    await watched.page.locator('#volume-value', { hasText: '35 %' }).waitFor();
    expect(await slider.inputValue()).toBe('35');
    await watched.context.close();
  });

  test('heals after the agent was killed and started again', async () => {
    const watched = await open();
    await agent.kill('SIGKILL');
    agent = await startAgent({ port: agent.port, data: agent.data });
    await watched.page.getByText('not live').waitFor({ state: 'hidden', timeout: 15_000 });
    await setVolume(36);
    await watched.page.locator('#volume-value', { hasText: '36 %' }).waitFor();
    await watched.context.close();
  });

  test('the log has no stream of lines while it is hidden, and shows them when it is seen again', async () => {
    const watched = await open('/logs');
    const lines = watched.page.locator('.log li', { hasText: 'broker' });
    await lines.first().waitFor();
    await watched.page.evaluate('window.hide(true)');
    expect((await streams(watched)).some((isOpen) => isOpen)).toBe(false);
    const before = await lines.count();
    await post(`${agent.url}/api/v1/config`, { mqtt_broker: 'mqtt://127.0.0.1:9' });
    await watched.page.evaluate('window.hide(false)');
    await until('a line about the broker', async () => (await lines.count()) > before);
    expect((await streams(watched)).filter((isOpen) => isOpen).length).toBe(2);
    await watched.context.close();
  });
});
