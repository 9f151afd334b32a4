import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import type { HomeClient } from './home-assistant/client.ts';
import type { Home } from './home-assistant/home.ts';
import type { Broker } from './kit/broker.ts';
import { startPlatform } from './kit/panel.ts';
import { until } from './kit/until.ts';

/**
 * What the private parts of the frontend were seen with: a newer one may differ, and then the page is shown all the
 * same.
 */
const SEEN_WITH = '2026.11.0';

let broker: Broker;
let home: Home;
let client: HomeClient;
let bench: Bench;
let outcome: TokenOutcome;
const given: string[] = [];

const sign = async (name: string): Promise<void> => {
  const token = await client.call<string>('auth/long_lived_access_token', { client_name: name, lifespan: 3650 });
  given.push(token);
  outcome = { ok: true, token, expiresInSeconds: 1800, origin: home.url };
};
const revoke = async (name: string): Promise<void> => {
  for (const { id, client_name } of await client.call<
    readonly { readonly id: string; readonly client_name: string | null }[]
  >('auth/refresh_tokens')) {
    if (client_name === name) await client.call('auth/delete_refresh_token', { refresh_token_id: id });
  }
};
/** Looks until the dashboard is drawn and connected. */
const showing = async (withinMs = 15_000): Promise<void> => {
  await until(
    'the dashboard shows',
    async () => {
      const from = bench.facts.length;
      await bench.driven.probe();
      return bench.facts
        .slice(from)
        .some(
          (fact) =>
            fact.type === 'page.probed' &&
            fact.showing === true &&
            fact.connected === true &&
            fact.homeAssistantVersion === SEEN_WITH,
        );
    },
    withinMs,
  );
};
/** An expression over the open dashboard's root element, `root`. */
const inRoot = (expression: string): Promise<unknown> =>
  bench.evaluate(
    `(() => { const panel = document.querySelector('home-assistant').shadowRoot.querySelector('home-assistant-main').shadowRoot.querySelector('partial-panel-resolver ha-panel-lovelace'); const root = panel?.shadowRoot?.querySelector('hui-root')?.shadowRoot; return root ? ${expression} : null; })()`,
  );

describe.skipIf(noBrowser)('the real dashboard in the driven browser', () => {
  beforeAll(async () => {
    ({ broker, home } = await startPlatform());
    client = await home.client();
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
    bench = await openBench({ origin: home.url, appearance: { ...PLAIN, theme: 'dark', kiosk: true } }, () =>
      Promise.resolve(outcome),
    );
  });
  afterAll(async () => {
    await bench?.end();
    await home?.stop();
    await broker?.stop();
  });

  it('is signed in, drawn and connected without a hand', async () => {
    expect(await bench.settle({ type: 'page.load', path: '/wall-panel/hall' })).toMatchObject({
      outcome: 'shown',
      status: 200,
    });
    await bench.fact('page.loaded');
    await showing();
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
    await until(
      'the theme is dark',
      async () => (await bench.evaluate(`document.querySelector('home-assistant').hass.themes?.darkMode`)) === true,
    );
    await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, theme: 'light', kiosk: true } });
    await until(
      'the theme is light',
      async () => (await bench.evaluate(`document.querySelector('home-assistant').hass.themes?.darkMode`)) === false,
    );
    expect(await inRoot(`getComputedStyle(root.querySelector('.header')).display`)).not.toBe('none');
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
    await showing();
    await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
    const from = bench.facts.length;
    await bench.driven.probe();
    expect(await bench.fact('page.probed', undefined, from)).toMatchObject({ excused: true, place: 'dashboard' });
    await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
    await showing();
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
    await showing();
  });

  it('is never Chromium’s error page while Home Assistant is away, and comes back', async () => {
    const from = bench.facts.length;
    await home.kill();
    await bench.fact('page.connection', ({ state }) => state === 'disconnected', from);
    expect(await bench.settle({ type: 'page.load', path: '/wall-panel/hall' })).toMatchObject({
      outcome: 'unreachable',
    });
    expect(await bench.evaluate('location.href')).toBe('about:blank');
    await home.startAgain();
    // The platform writes a new token down late, too: this one may not have outlived the kill.
    client = await home.client();
    await sign('wall after the kill');
    // Not the dashboard of this test: the platform writes a new one down ten seconds late, and was killed before.
    await until(
      'the dashboard loads',
      async () => (await bench.settle({ type: 'page.load', path: '/home/overview' })).outcome === 'shown',
      30_000,
    );
    await showing(30_000);
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
