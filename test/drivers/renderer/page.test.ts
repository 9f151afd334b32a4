import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { amount } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { until } from '../../scenarios/live-agent.ts';
import { type Bench, openBench, PLAIN } from './bench.ts';
import { hangsFor, type HomeAssistantPage, serveHomeAssistant } from './home-assistant-page.ts';
import { noBrowser, program, START_MS } from './rig.ts';

/** Width and height in the header of a PNG; null when it is none. */
function sizeOf(png: Uint8Array | null): string | null {
  if (png === null) return null;
  const bytes = Buffer.from(png);
  return bytes.toString('latin1', 1, 4) === 'PNG' ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : null;
}

async function probeOf(bench: Bench): Promise<Extract<Bench['facts'][number], { type: 'page.probed' }>> {
  const from = bench.facts.length;
  await bench.driven.probe();
  return bench.fact('page.probed', undefined, from);
}

describe.skipIf(noBrowser)('the page of an unseen browser', () => {
  let homeAssistant: HomeAssistantPage;
  let other: HomeAssistantPage;
  let bench: Bench;
  const asked: boolean[] = [];
  let outcome: TokenOutcome;

  const received = (passes: (report: URLSearchParams) => boolean): URLSearchParams | undefined =>
    homeAssistant.received.findLast(passes);
  const shoot = async (requestId: string): Promise<string | null> => {
    void bench.driven.onCommand({ type: 'page.shoot', requestId });
    return sizeOf((await bench.fact('page.shot', (shot) => shot.requestId === requestId)).png);
  };
  const probe = () => probeOf(bench);

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    other = await serveHomeAssistant();
    bench = await openBench({ origin: homeAssistant.origin, ownOrigin: other.origin }, (force) => {
      asked.push(force);
      return Promise.resolve(outcome);
    });
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
    await other?.close();
  });
  beforeEach(async () => {
    homeAssistant.received.length = 0;
    asked.length = 0;
    outcome = { ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin };
    bench.facts.length = 0;
    await bench.driven.onCommand({ type: 'page.appearance', appearance: PLAIN });
  });

  test('is signed in over the bridge, told of the settings screen and given its appearance once it is drawn', async () => {
    await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, kiosk: true } });
    expect(await bench.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({
      outcome: 'shown',
      status: 200,
      path: '/lovelace/hall',
    });
    await bench.fact('page.loaded');
    await bench.fact('page.connection', ({ state }) => state === 'connected');
    expect(asked).toEqual([false]);
    expect((await until('the token', () => received((report) => report.has('token')))).get('expires')).toBe('1800');
    expect(
      JSON.parse(
        (await until('the configuration', () => received((report) => report.get('bus') === 'result'))).get('payload') ??
          '',
      ),
    ).toMatchObject({
      hasSettingsScreen: true,
      hasSidebar: false,
      appVersion: '0.0.0',
    });
    expect(
      (await until('the kiosk command', () => received((report) => report.get('bus') === 'kiosk_mode/set'))).get(
        'payload',
      ),
    ).toBe('{"enable":true}');
    expect(await probe()).toMatchObject({
      excused: false,
      showing: true,
      connected: true,
      place: 'dashboard',
      path: '/lovelace/hall',
      homeAssistantVersion: '2026.11.0',
    });
  });

  test('gives no token to a frame, whatever it finds there', async () => {
    other.received.length = 0;
    homeAssistant.frame(`${other.origin}/card`);
    await bench.settle({ type: 'page.load', path: '/lovelace/hall' });
    homeAssistant.frame(null);
    await bench.fact('page.loaded');
    await until('the frame has tried', () => other.received.find((report) => report.get('within') === 'asked'));
    // One answer to the page itself has come after the frame's requests could have been answered.
    await bench.evaluate(
      `externalAppV2.postMessage(JSON.stringify({ type: 'getExternalAuth', payload: { callback: 'externalAuthSetToken', force: true } }))`,
    );
    await until('the page asked again', () => asked.includes(true));
    expect(asked).toEqual([false, true]);
    expect(other.received.filter((report) => report.has('token'))).toEqual([]);
  });

  test('says that there is no token, also when it is for another address, and keeps the panel signed in', async () => {
    outcome = { ok: false, reason: 'refused' };
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.fact('page.token-refused')).toMatchObject({ reason: 'refused' });
    // The answer to an earlier request may still be on its way.
    await until('the refusal', () =>
      received((report) => report.get('fine') === 'false' && report.get('token') === ''),
    );
    outcome = { ok: true, token: 'access-9', expiresInSeconds: 1800, origin: 'http://elsewhere:8123' };
    const from = bench.facts.length;
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.fact('page.token-refused', undefined, from)).toMatchObject({ reason: 'none' });
    expect(homeAssistant.received.some((report) => report.get('token') === 'access-9')).toBe(false);
    await bench.evaluate(
      `externalAppV2.postMessage(JSON.stringify({ type: 'revokeExternalAuth', payload: { callback: 'externalAuthRevokeToken' } }))`,
    );
    expect(
      (await until('the answer to logging out', () => received((report) => report.has('revoked')))).get('revoked'),
    ).toBe('false');
  });

  test('navigates in process and compares where it came to', async () => {
    await bench.settle({ type: 'page.load', path: '/lovelace/hall' });
    const loads = homeAssistant.asked.filter((path) => path.startsWith('/lovelace')).length;
    expect(await bench.settle({ type: 'page.go', path: '/lovelace/kitchen?edit=0', replace: false })).toMatchObject({
      outcome: 'shown',
      path: '/lovelace/kitchen',
    });
    expect(await bench.settle({ type: 'page.go', path: '/unknown', replace: true })).toMatchObject({
      outcome: 'elsewhere',
      path: '/home/overview',
    });
    expect(await bench.settle({ type: 'page.go', path: '/refused', replace: false })).toMatchObject({
      outcome: 'not-ready',
    });
    expect(homeAssistant.asked.filter((path) => path.startsWith('/lovelace'))).toHaveLength(loads);
    expect(await bench.settle({ type: 'page.own', path: '/glass' })).toMatchObject({
      outcome: 'shown',
      path: '/glass',
    });
    expect(await bench.settle({ type: 'page.go', path: '/lovelace/hall', replace: false })).toMatchObject({
      outcome: 'not-ready',
    });
    expect(await probe()).toMatchObject({ place: 'own', showing: null, connected: null, homeAssistantVersion: null });
  });

  test('asks for the panel’s settings by Home Assistant’s own entry', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate(
      `externalAppV2.postMessage(JSON.stringify({ type: 'externalBus', payload: { id: 9, type: 'config_screen/show' } }))`,
    );
    await bench.fact('page.settings-asked');
  });

  test('reports a missing or failing document by its status', async () => {
    expect(await bench.settle({ type: 'page.load', path: '/missing' })).toMatchObject({
      outcome: 'http-error',
      status: 404,
    });
    expect(await probe()).toMatchObject({ place: 'error' });
    expect(await bench.settle({ type: 'page.load', path: '/broken' })).toMatchObject({
      outcome: 'http-error',
      status: 500,
    });
  });

  test('wears zoom, theme and header as asked, at once and after the next load', async () => {
    const header = `getComputedStyle(document.querySelector('home-assistant').shadowRoot.querySelector('hui-root').shadowRoot.querySelector('.header')).display`;
    const seen = `innerWidth + ' ' + matchMedia('(prefers-color-scheme: dark)').matches + ' ' + ${header}`;
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.evaluate(seen)).toBe('1280 false block');
    await bench.driven.onCommand({
      type: 'page.appearance',
      appearance: { zoomPercent: 200, theme: 'dark', kiosk: false, fullscreen: true },
    });
    expect(await bench.evaluate(seen)).toBe('640 true none');
    await bench.settle({ type: 'page.load', path: '/lovelace' });
    expect(await bench.evaluate(seen)).toBe('640 true none');
    expect(await shoot('zoomed')).toBe('1280x800');
    await bench.driven.onCommand({
      type: 'page.appearance',
      appearance: { ...PLAIN, zoomPercent: 50, theme: 'light' },
    });
    expect(await bench.evaluate(seen)).toBe('2560 false block');
  });

  test('turns dark and light without a load, also while it is frozen', async () => {
    const wear = (theme: 'follow' | 'dark' | 'light') =>
      bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, theme } });
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate('globalThis.kept = true');
    const seen = `globalThis.kept + ' ' + matchMedia('(prefers-color-scheme: dark)').matches`;
    await wear('dark');
    expect(await bench.evaluate(seen)).toBe('true true');
    await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
    await wear('light');
    await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
    expect(await bench.evaluate(seen)).toBe('true false');
    await wear('dark');
    await wear('follow');
    expect(await bench.evaluate(seen)).toBe('true false');
  });

  test('takes an idle pointer off the screen, also inside components, and shows one that moves', async () => {
    const inside = `document.querySelector('home-assistant').shadowRoot.querySelector('hui-root').shadowRoot.querySelector('#view')`;
    const cursors = `getComputedStyle(document.body).cursor + ' ' + getComputedStyle(${inside}).cursor`;
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.evaluate(cursors)).toBe('none none');
    await bench.call('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 50, y: 60 });
    await until('the pointer is shown', async () => (await bench.evaluate(cursors)) === 'auto auto');
  });

  test('reports touches, at most one a second, also those on a frame', async () => {
    const tap = async (): Promise<void> => {
      await bench.call('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 100, y: 300 }] });
      await bench.call('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await bench.settle({ type: 'page.load', path: '/' });
    for (let turn = 0; turn < 5; turn += 1) await tap();
    await bench.fact('page.touched');
    await probe();
    expect(bench.facts.filter(({ type }) => type === 'page.touched')).toHaveLength(1);

    // Another name is another site: this frame has a process of its own.
    homeAssistant.frame(`${other.origin.replace('127.0.0.1', 'localhost')}/card`);
    other.received.length = 0;
    await bench.settle({ type: 'page.load', path: '/' });
    homeAssistant.frame(null);
    await bench.evaluate(
      `document.querySelector('iframe').style.cssText = 'position:fixed;inset:0;width:100%;height:100%'`,
    );
    await until('the frame is there', () => other.received.length > 0);
    const from = bench.facts.length;
    // The protocol gives touches to the main frame alone; a pointer finds the frame.
    await until('a touch on the frame', async () => {
      for (const type of ['mousePressed', 'mouseReleased'])
        await bench.call('Input.dispatchMouseEvent', { type, x: 100, y: 300, button: 'left', clickCount: 1 });
      return bench.facts.slice(from).some(({ type }) => type === 'page.touched');
    });
  });

  test('has a way back over a login that returns to the panel, by a tap alone, and over nothing else', async () => {
    const login = (returns: string): string => `/auth/authorize?redirect_uri=${encodeURIComponent(returns)}`;
    const overlaid = `[...document.documentElement.children].some(({ localName }) => localName === 'div')`;
    for (const path of [
      login(`${homeAssistant.origin}/?auth_callback=1`),
      login(`${other.origin}9/api`),
      `/lovelace/hall?redirect_uri=${other.origin}/`,
    ]) {
      await bench.settle({ type: 'page.load', path });
      expect(await bench.evaluate(overlaid), path).toBe(false);
    }
    await bench.settle({ type: 'page.load', path: login(`${other.origin}/api/v1/ha/oauth/callback`) });
    expect(await bench.evaluate(overlaid)).toBe(true);
    // Neither a script of the page nor its bridge can do this.
    await bench.evaluate(
      `externalAppV2.postMessage('back'); document.elementFromPoint(60, 40).click(); document.elementFromPoint(60, 40).shadowRoot`,
    );
    await bench.call('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 60, y: 40 }] });
    await bench.call('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await bench.fact('page.back-asked');
    expect(bench.facts.filter(({ type }) => type === 'page.back-asked')).toHaveLength(1);
  });

  describe('tapped', () => {
    /** A field of 40 x 40 pixels of the page that notes what it is touched with. */
    const field = (left: number, top: number): string => `
      document.body.insertAdjacentHTML('beforeend', '<div id="field" style="position:fixed;z-index:9;left:${left}px;top:${top}px;width:40px;height:40px;background:red"></div>');
      window.felt = [];
      for (const type of ['touchstart', 'pointerdown', 'click'])
        document.addEventListener(type, (event) => felt.push(type + ' ' + (event.pointerType ?? 'finger') + ' ' + event.target.id));
      document.querySelector('#field').addEventListener('click', ({ target }) => target.remove()); 0`;
    let taps = 0;
    const tap = async (x: number, y: number, capture = false) => {
      taps += 1;
      const requestId = `tap-${taps}`;
      void bench.driven.onCommand({ type: 'page.tap', requestId, x, y, capture });
      return (await bench.fact('page.tapped', (tapped) => tapped.requestId === requestId)).outcome;
    };
    const felt = (): Promise<unknown> =>
      until('the click', async () => {
        const seen = String(await bench.evaluate('felt.join()'));
        return seen.includes('click') ? seen : null;
      });
    const AS_A_FINGER = 'pointerdown touch field,touchstart finger field,click touch field';

    test.each(amount([50, 150, 300], [50, 100, 150, 200, 300]))(
      'feels a finger at the place of the picture at zoom %i, and nowhere beyond it',
      async (zoomPercent) => {
        await bench.settle({ type: 'page.load', path: '/' });
        await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, zoomPercent } });
        await bench.evaluate(field(200, 150));
        const factor = zoomPercent / 100;
        expect(await tap(201 * factor, 189 * factor)).toEqual({ ok: true, png: null });
        expect(await felt()).toBe(AS_A_FINGER);
        const [width = 0, height = 0] = ((await shoot(`zoom-${zoomPercent}`)) ?? '').split('x').map(Number);
        const beyond = await tap(width + 1, 10);
        if (beyond.ok || beyond.reason !== 'outside') throw new Error('a tap beyond the picture was made');
        // Where the page is no whole number of pixels the browser rounds its picture either way.
        expect([0, 1]).toContain(beyond.width - width);
        expect([0, 1]).toContain(beyond.height - height);
        expect(await tap(beyond.width - 1, beyond.height - 1)).toEqual({ ok: true, png: null });
      },
    );

    test('shows on the picture what it did', async () => {
      await bench.settle({ type: 'page.load', path: '/' });
      await bench.evaluate(field(200, 150));
      const before = await tap(700, 700, true);
      const after = await tap(220, 170, true);
      if (!before.ok || !after.ok) throw new Error('not tapped');
      expect([sizeOf(before.png), sizeOf(after.png)]).toEqual(['1280x800', '1280x800']);
      const colour = (png: Uint8Array | null): Promise<unknown> =>
        bench.evaluate(`(async () => {
          const url = 'data:image/png;base64,${Buffer.from(png ?? []).toString('base64')}';
          const image = await createImageBitmap(await (await fetch(url)).blob());
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          return [...context.getImageData(220, 170, 1, 1).data].join();
        })()`);
      expect(await colour(before.png)).toBe('255,0,0,255');
      expect(await colour(after.png)).toBe('0,68,170,255');
    });

    test('feels it while it is frozen for the dark, once it was thawed for that', async () => {
      await bench.settle({ type: 'page.load', path: '/' });
      await bench.evaluate(field(200, 150));
      await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
      void bench.driven.onCommand({ type: 'page.freeze', frozen: false });
      expect(await tap(220, 170)).toEqual({ ok: true, png: null });
      expect(await felt()).toBe(AS_A_FINGER);
    });

    test('that hangs is not tapped, and is not pressed for long once it goes on', async () => {
      await bench.settle({ type: 'page.load', path: '/' });
      await bench.evaluate(field(200, 150));
      await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
      expect(await tap(220, 170)).toEqual({ ok: false, reason: 'no-answer' });
      await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
      expect(await tap(220, 170)).toEqual({ ok: true, png: null });
      // The finger of the first tap was taken back: one click is all there is.
      expect(await felt()).toBe(`pointerdown touch field,touchstart finger field,${AS_A_FINGER}`);
    });
  });

  test('freezes for the dark, and thaws to a visible page', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate('window.ticks = 0; setInterval(() => { window.ticks += 1 }, 20); 0');
    await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
    expect(await probe()).toMatchObject({ excused: true });
    // A picture wakes the page for a moment: it is taken, and the page stands still again.
    expect(await shoot('frozen')).toBe('1280x800');
    let [before, since] = [-1, performance.now()];
    await until('the page, which ticks each 20 ms, stands still for 200', async () => {
      const seen = Number(await bench.evaluate('ticks'));
      if (seen !== before) [before, since] = [seen, performance.now()];
      return performance.now() - since > 200;
    });
    await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
    await until('the page goes on', async () => Number(await bench.evaluate('ticks')) > before + 3);
    expect(await bench.evaluate('document.visibilityState')).toBe('visible');

    // The screen went dark and was touched in the same moment: neither waits for the other to be done.
    await Promise.all([
      bench.driven.onCommand({ type: 'page.freeze', frozen: true }),
      bench.driven.onCommand({ type: 'page.freeze', frozen: false }),
    ]);
    const ticks = Number(await bench.evaluate('ticks'));
    await until('the page goes on again', async () => Number(await bench.evaluate('ticks')) > ticks + 3);
  });

  test('tells for how long Home Assistant has answered no ping over the page’s own socket', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    // Without a connection that can be pinged nothing is known.
    await until('it is not known', async () => (await probe()).unansweredMs === null);
    const answers = (how: string): Promise<unknown> =>
      bench.evaluate(`document.querySelector('home-assistant').hass.connection = { ping: () => ${how} }; 0`);
    await answers('Promise.resolve()');
    await until('it answers', async () => (await probe()).unansweredMs === 0);
    await answers('new Promise(() => {})');
    await until('it does not answer', async () => ((await probe()).unansweredMs ?? 0) > 300);
    // One that is lost is no answer, and ends the count with its connection.
    await answers('Promise.reject(3)');
    expect((await probe()).unansweredMs).toBeGreaterThan(300);
    await until('the count is over', async () => (await probe()).unansweredMs === 0);
    await answers('Promise.resolve()');
    await until('it answers again', async () => (await probe()).unansweredMs === 0);
    await answers('new Promise(() => {})');
    await until('it does not answer', async () => ((await probe()).unansweredMs ?? 0) > 300);
    await bench.driven.onCommand({ type: 'page.freeze', frozen: true });
    expect(await probe()).toMatchObject({ excused: true, unansweredMs: null });
    await bench.driven.onCommand({ type: 'page.freeze', frozen: false });
    // What was not answered before belongs to the connection that the freeze closed.
    expect((await probe()).unansweredMs).toBe(0);
  });

  test('leaves a page whose script hangs, and says so', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    // Silence of 5 s is a hang, and after 2.5 more the script is ended, which by then is a loop.
    void bench.evaluate(`setTimeout(() => { ${hangsFor(6500)}; for (;;); }, 0)`);
    await until('the page hangs', async () => (await probe()).answeredMs === null);
    expect(await bench.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({ outcome: 'shown' });
    await bench.fact('page.hung');
  });

  inAll(
    'says of a page that hangs while it is loaded that it hung',
    async () => {
      // A loop by the time that it is ended: 17.5 s after the document began.
      homeAssistant.spoil((path) => (path === '/hanging' ? `${hangsFor(15_000)}; for (;;);` : ''));
      expect(await bench.settle({ type: 'page.load', path: '/hanging' }, 30_000)).toMatchObject({ outcome: 'hung' });
      expect(await bench.settle({ type: 'page.load', path: '/' })).toMatchObject({ outcome: 'shown' });
      homeAssistant.spoil(() => '');
    },
    40_000,
  );

  test('survives a hanging script and a crash of the page, bridge intact', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    // A loop by the time that it is ended, after the 5 s of the probe.
    await bench.evaluate(
      `document.body.dataset.hung = 'no'; setTimeout(() => { document.body.dataset.hung = 'yes'; ${hangsFor(4500)}; while (true) {} }, 0)`,
    );
    expect(await probe()).toMatchObject({ answeredMs: null, excused: false });
    await bench.driven.onCommand({ type: 'page.unhang' });
    expect(await probe()).toMatchObject({ showing: true });
    expect(await bench.evaluate('document.body.dataset.hung')).toBe('yes');
    void bench.call('Page.crash');
    await bench.fact('page.crashed');
    expect(await probe()).toMatchObject({ answeredMs: null, excused: true });
    const from = bench.facts.length;
    expect(await bench.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({ outcome: 'shown' });
    await bench.fact('page.loaded', undefined, from);
    expect(await probe()).toMatchObject({ showing: true, excused: false });
    // The memory of a crashed page holds its token.
    const files = await bench.files();
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => name.endsWith('.dmp'))).toEqual([]);
  });

  test('forgets what it keeps of an origin, and leaves its page', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate(`localStorage.setItem('kept', '1'); document.cookie = 'kept=1; max-age=9999'; 0`);
    await bench.driven.onCommand({ type: 'page.forget', origin: homeAssistant.origin });
    expect(await probe()).toMatchObject({ place: 'blank' });
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.evaluate(`String(localStorage.getItem('kept')) + document.cookie`)).toBe('null');
  });

  test('loads a page only once what it kept is gone', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate(`localStorage.setItem('kept', '1'); 0`);
    // Both at once, as the panel asks for them.
    void bench.driven.onCommand({ type: 'page.forget', origin: homeAssistant.origin });
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.evaluate(`String(localStorage.getItem('kept'))`)).toBe('null');
    await bench.evaluate(`localStorage.setItem('kept', '2'); 0`);
    await bench.settle({ type: 'page.load', path: '/' });
    expect(await bench.evaluate(`localStorage.getItem('kept')`)).toBe('2');
  });

  test('asks for a token again when another credential is in force', async () => {
    await bench.settle({ type: 'page.load', path: '/lovelace/hall' });
    await bench.fact('page.loaded');
    outcome = { ok: true, token: 'access-2', expiresInSeconds: 1800, origin: homeAssistant.origin };
    await bench.driven.onCommand({ type: 'page.sign-in' });
    await until('the new token', () => received((report) => report.get('token') === 'access-2'));
  });

  test('measures the memory of the whole browser', async () => {
    const bytes = await bench.memory();
    expect(bytes).toBeGreaterThan(100e6);
    expect(bytes).toBeLessThan(2e9);
  });

  test('answers a load from a frozen Home Assistant within its bound, with the old page still there', async () => {
    await bench.settle({ type: 'page.load', path: '/lovelace/hall' });
    homeAssistant.freeze(true);
    const load = bench.settle({ type: 'page.load', path: '/lovelace/kitchen' });
    expect(await load).toMatchObject({ outcome: 'timeout' });
    homeAssistant.freeze(false);
    expect(await probe()).toMatchObject({ path: '/lovelace/hall', excused: false });
  });
});

// Windows, dialogs, downloads and error pages are not the engine's: they are those of the browser that a panel has.
describe.skipIf(noBrowser)('the page of the browser of a panel', () => {
  let homeAssistant: HomeAssistantPage;
  let bench: Bench;

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    const { origin } = homeAssistant;
    const outcome: TokenOutcome = { ok: true, token: 'access-1', expiresInSeconds: 1800, origin };
    bench = await openBench({ origin }, () => Promise.resolve(outcome), program);
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
  });

  test('lets nothing cover the page: dialogs, windows, downloads', async () => {
    await bench.settle({ type: 'page.load', path: '/' });
    await bench.evaluate(`setTimeout(() => { document.body.dataset.answer = String(confirm('sure?')) }, 0)`);
    await bench.fact('page.nuisance', ({ kind }) => kind === 'dialog');
    await until(
      'the dialog is answered',
      async () => (await bench.evaluate('document.body.dataset.answer')) === 'false',
    );
    await bench.evaluate(`void window.open('/second')`);
    await bench.fact('page.nuisance', ({ kind }) => kind === 'window');
    expect(await bench.evaluate('document.visibilityState')).toBe('visible');
    expect(await bench.settle({ type: 'page.load', path: '/file' })).toMatchObject({ outcome: 'elsewhere' });
    await bench.fact('page.nuisance', ({ kind }) => kind === 'download');
    expect(await probeOf(bench)).toMatchObject({ place: 'dashboard', excused: false });
    expect(
      await bench.evaluate(`navigator.permissions.query({ name: 'notifications' }).then(({ state }) => state)`),
    ).toBe('denied');
  });

  test('never shows the browser’s own error page', async () => {
    await bench.settle({ type: 'page.load', path: '/returning' });
    const from = bench.facts.length;
    await homeAssistant.close();
    await bench.fact('page.probed', ({ place }) => place === 'error', from);
    await until('the error page is left', async () => (await bench.evaluate('location.href')) === 'about:blank');
    expect(await bench.settle({ type: 'page.load', path: '/' })).toMatchObject({
      outcome: 'unreachable',
      status: null,
    });
    expect(await probeOf(bench)).toMatchObject({ place: 'blank' });
    await homeAssistant.listen();
    expect(await bench.settle({ type: 'page.load', path: '/' })).toMatchObject({ outcome: 'shown' });
  });
});
