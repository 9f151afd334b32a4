import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { HomeClient } from './home-assistant/client.ts';
import { untilShown } from './kit/driven.ts';
import { until } from './kit/until.ts';

const shared = inject('homeAssistant');
let client: HomeClient;
let bench: Bench;
let outcome: TokenOutcome;
const given: string[] = [];

async function sign(name: string): Promise<void> {
  const token = await client.call<string>('auth/long_lived_access_token', { client_name: name, lifespan: 3650 });
  given.push(token);
  outcome = { ok: true, token, expiresInSeconds: 1800, origin: shared.url };
}
async function revoke(name: string): Promise<void> {
  for (const { id, client_name } of await client.call<
    readonly { readonly id: string; readonly client_name: string | null }[]
  >('auth/refresh_tokens')) {
    if (client_name === name) await client.call('auth/delete_refresh_token', { refresh_token_id: id });
  }
}
/** What holds the panels of the frontend, each an element of its own. */
const PANELS = `document.querySelector('home-assistant').shadowRoot.querySelector('home-assistant-main').shadowRoot.querySelector('partial-panel-resolver')`;
/** An expression over the open dashboard's root element, `root`. */
const inRoot = (expression: string): Promise<unknown> =>
  bench.evaluate(
    `(() => { const panel = ${PANELS}.querySelector('ha-panel-lovelace'); const root = panel?.shadowRoot?.querySelector('hui-root')?.shadowRoot; return root ? ${expression} : null; })()`,
  );

/** Whether the page is told to be dark, and whether the frontend is. */
const theme = (): Promise<unknown> =>
  bench.evaluate(
    `({ preferred: matchMedia('(prefers-color-scheme: dark)').matches, worn: document.querySelector('home-assistant').hass.themes?.darkMode })`,
  );

describe.skipIf(noBrowser)('the real dashboard in the driven browser', () => {
  beforeAll(async () => {
    client = await HomeClient.open(shared.url, shared.token);
    for (const path of ['wall-panel', 'second-panel']) {
      await client.call('lovelace/dashboards/create', {
        url_path: path,
        title: path,
        mode: 'storage',
        require_admin: false,
        show_in_sidebar: true,
      });
      const views = ['hall', 'kitchen'].map((view) => ({
        title: view,
        path: view,
        cards: [{ type: 'markdown', content: `# ${path} ${view}` }],
      }));
      await client.call('lovelace/config/save', { url_path: path, config: { views } });
    }
    await sign('wall');
    bench = await openBench({ origin: shared.url, appearance: { ...PLAIN, theme: 'dark', kiosk: true } }, () =>
      Promise.resolve(outcome),
    );
  });
  afterAll(async () => {
    await bench?.end();
    client?.close();
  });

  it('is signed in, drawn and connected without a hand', async () => {
    expect(await bench.settle({ type: 'page.load', path: '/wall-panel/hall' })).toMatchObject({
      outcome: 'shown',
      status: 200,
    });
    await bench.fact('page.loaded');
    await untilShown(bench);
    expect(bench.facts.some(({ type }) => type === 'page.token-refused')).toBe(false);
  });

  it('is dressed: no menu button in kiosk mode, no header full screen, dark as asked', async () => {
    await until(
      'the header has no menu button',
      async () =>
        (await inRoot(
          `root.querySelector('.header') !== null && (root.querySelector('ha-menu-button')?.offsetWidth ?? 0) === 0`,
        )) === true,
    );
    await bench.driven.onCommand({
      type: 'page.appearance',
      appearance: { ...PLAIN, theme: 'dark', kiosk: true, fullscreen: true },
    });
    await until(
      'the header is hidden',
      async () => (await inRoot(`getComputedStyle(root.querySelector('.header')).display`)) === 'none',
    );
    await expect.poll(theme, { timeout: 15_000 }).toEqual({ preferred: true, worn: true });
    await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, theme: 'light', kiosk: true } });
    await expect.poll(theme, { timeout: 15_000 }).toEqual({ preferred: false, worn: false });
    expect(await inRoot(`getComputedStyle(root.querySelector('.header')).display`)).not.toBe('none');
  });

  it('wears its theme also where it hears of its themes before its configuration', async () => {
    // The answer to the first question for the configuration comes late, as under load.
    const late = `(() => {
      const Native = WebSocket;
      const send = Native.prototype.send;
      let asked = null;
      Native.prototype.send = function (data) {
        const message = JSON.parse(data);
        if (message.type === 'get_config') asked ??= message.id;
        return send.call(this, data);
      };
      const listen = Native.prototype.addEventListener;
      Native.prototype.addEventListener = function (type, listener, ...rest) {
        const hear = (event) => {
          const tell = (message) => listener(new MessageEvent('message', { data: JSON.stringify(message) }));
          for (const message of [JSON.parse(event.data)].flat())
            if (message.id === asked && message.type === 'result') setTimeout(() => tell(message), 1500);
            else tell(message);
        };
        return listen.call(this, type, type === 'message' ? hear : listener, ...rest);
      };
    })()`;
    const placed = await bench.call('Page.addScriptToEvaluateOnNewDocument', { source: late });
    await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, theme: 'dark', kiosk: true } });
    try {
      await bench.settle({ type: 'page.load', path: '/wall-panel/hall' });
      await untilShown(bench);
      await expect.poll(theme, { timeout: 15_000 }).toEqual({ preferred: true, worn: true });
    } finally {
      await bench.call('Page.removeScriptToEvaluateOnNewDocument', placed as object);
    }
  });

  it('begins at the top where the header is hidden, on the overview and on a dashboard', async () => {
    const appearance = { ...PLAIN, kiosk: true, fullscreen: true };
    await bench.driven.onCommand({ type: 'page.appearance', appearance });
    const top = (of: string): string => `${of}?.getBoundingClientRect().top`;
    await until(
      'the dashboard begins at the top',
      async () => (await inRoot(top(`root.querySelector('hui-view')`))) === 0,
    );
    await bench.settle({ type: 'page.load', path: '/home/overview' });
    await untilShown(bench);
    // The overview greets a household that has not dismissed that with a banner of its own.
    const places = (): Promise<unknown> =>
      bench.evaluate(
        `(() => { const panel = ${PANELS}.querySelector('ha-panel-home')?.shadowRoot; const banner = panel?.querySelector('.banner')?.getBoundingClientRect(); const view = panel?.querySelector('hui-root')?.shadowRoot?.querySelector('hui-view')?.getBoundingClientRect(); return banner && view ? { banner: banner.top, gap: view.top - banner.bottom } : null; })()`,
      );
    await until('the overview is drawn', async () => (await places()) !== null);
    await expect.poll(places).toEqual({ banner: 0, gap: 0 });
    await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...appearance, fullscreen: false } });
    await expect.poll(places).toMatchObject({ banner: 56 });
    await bench.settle({ type: 'page.load', path: '/wall-panel/hall' });
    await untilShown(bench);
  });

  it('goes to another view or dashboard in process, and tells what is not there', async () => {
    await bench.evaluate('window.sameDocument = true');
    for (const path of ['/wall-panel/kitchen', '/second-panel/hall', '/wall-panel']) {
      const settled = await bench.settle({ type: 'page.go', path, replace: false });
      expect(settled).toMatchObject({ outcome: 'shown' });
      expect(settled.tookMs).toBeLessThan(1000);
    }
    expect(await bench.settle({ type: 'page.go', path: '/not-a-panel', replace: false })).toMatchObject({
      outcome: 'elsewhere',
    });
    expect(await bench.evaluate('window.sameDocument')).toBe(true);
    expect(await bench.settle({ type: 'page.load', path: '/not-a-panel' })).toMatchObject({
      outcome: 'http-error',
      status: 404,
    });
  });

  it('freezes in the dark and is live again after', async () => {
    await bench.settle({ type: 'page.load', path: '/wall-panel/hall' });
    await untilShown(bench);
    await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
    const from = bench.facts.length;
    await bench.driven.probe();
    expect(await bench.fact('page.probed', undefined, from)).toMatchObject({ excused: true, place: 'dashboard' });
    await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
    await untilShown(bench);
    // A change made now reaches the page: its socket is a live one.
    await client.call('lovelace/config/save', {
      url_path: 'wall-panel',
      config: {
        views: [
          { title: 'Changed', path: 'hall', cards: [] },
          { title: 'kitchen', path: 'kitchen', cards: [] },
        ],
      },
    });
    await until('the page follows', async () => (await inRoot(`root.textContent.includes('Changed')`)) === true);
  });

  it('hears at once that its token was revoked, and recovers with another', async () => {
    const from = bench.facts.length;
    outcome = { ok: false, reason: 'refused' };
    await revoke('wall');
    await bench.fact('page.connection', ({ state }) => state === 'auth-invalid', from);
    await bench.fact('page.token-refused', ({ reason }) => reason === 'refused', from);
    await sign('wall again');
    await bench.driven.onCommand({ type: 'page.sign-in' });
    await untilShown(bench);
  });

  it('leaves no token in home or profile', async () => {
    const paths = await bench.files();
    expect(paths.length).toBeGreaterThan(20);
    const contents = await Promise.all(paths.map((path) => readFile(path, 'latin1').catch(() => '')));
    // The signature of a token is its own; its head is the same for all.
    const found = paths.filter((_, index) =>
      given.some((token) => contents[index]?.includes(token.split('.')[2] ?? token)),
    );
    expect(found).toEqual([]);
  });
});
