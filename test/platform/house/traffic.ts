import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageFilter } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { ENTITIES, house } from './house.ts';
import { untilShown } from '../kit/driven.ts';
import { until } from '../kit/until.ts';

/** How long one way of sending states is measured, in milliseconds; the bench takes longer. */
const WINDOW_MS = Number(process.env['SCONCE_BENCH_WINDOW_MS'] ?? 3000);
/** Presses on a tile in each of them. */
const TAPS = process.env['SCONCE_BENCH_WINDOW_MS'] === undefined ? 3 : 40;
const USED = 20;
const CHANGES = 200;

/** What one way of sending states costs the page. */
interface Cost {
  /** Text frames a second that reached the page over its connection to Home Assistant. */
  readonly frames: number;
  readonly kilobytes: number;
  /** Share of the main thread that was busy, 0 to 1. */
  readonly busy: number;
  /** Middle of the presses on a tile, in milliseconds. */
  readonly tapMs: number;
  /** Proportional memory of the browser, in megabytes. */
  readonly megabytes: number;
}

/** Counts what arrives at the page's connections; nothing of it is changed. */
const COUNTER = `(() => {
  window.arrived = { frames: 0, characters: 0 };
  const listen = WebSocket.prototype.addEventListener;
  const seen = new WeakSet();
  WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
    if (!seen.has(this)) {
      seen.add(this);
      listen.call(this, 'message', ({ data }) => {
        window.arrived.frames += 1;
        window.arrived.characters += data.length;
      });
    }
    return listen.call(this, type, listener, ...rest);
  };
})()`;

const used = Array.from({ length: USED }, (_, at) => `sensor.house_${at * (ENTITIES / USED)}`);
const none: PageFilter = { sets: {}, learn: false };
const cut: PageFilter = { sets: { 'tiles-panel': used }, learn: true };

let home: Home;
let client: HomeClient;
let bench: Bench;

const rate = (perSecond: number): Promise<unknown> =>
  client.call('call_service', { domain: 'house', service: 'rate', service_data: { per_second: perSecond } });

async function taskSeconds(): Promise<number> {
  // The protocol's own shape.
  const { metrics } = (await bench.call('Performance.getMetrics')) as {
    readonly metrics: readonly { readonly name: string; readonly value: number }[];
  };
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

/** What stands in the tiles, as far as they are drawn. */
const cards = `[...(function* walk(node) {
  for (const element of node.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* walk(element.shadowRoot);
  }
})(document)]`;
const countOf = (selector: string): Promise<unknown> =>
  bench.evaluate(`${cards}.filter((one) => one.matches(${JSON.stringify(selector)})).length`);

/** One press on the first tile, until the frame after the tile has asked for its dialog, which stays shut. */
async function tap(): Promise<number> {
  const { x, y } = (await bench.evaluate(`(() => {
    window.nextTap = new Promise((resolve) => {
      let began = 0;
      addEventListener('pointerdown', ({ timeStamp }) => { began = timeStamp; }, { capture: true, once: true });
      addEventListener('hass-more-info', (event) => {
        event.stopImmediatePropagation();
        requestAnimationFrame(() => resolve(performance.now() - began));
      }, { capture: true, once: true });
    });
    const { left, top, width, height } = ${cards}.find((one) => one.matches('hui-tile-card')).getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  })()`)) as { readonly x: number; readonly y: number };
  for (const type of ['mousePressed', 'mouseReleased'])
    await bench.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  return Number(await bench.evaluate('window.nextTap'));
}

const arrived = async () =>
  (await bench.evaluate('window.arrived')) as { readonly frames: number; readonly characters: number };

async function measure(): Promise<Cost> {
  await bench.evaluate('window.arrived.frames = window.arrived.characters = 0');
  const [began, busyBefore] = [performance.now(), await taskSeconds()];
  await new Promise((resolve) => {
    setTimeout(resolve, WINDOW_MS);
  });
  const seconds = (performance.now() - began) / 1000;
  const { frames, characters } = await arrived();
  const busy = ((await taskSeconds()) - busyBefore) / seconds;
  const taps: number[] = [];
  for (let at = 0; at < TAPS; at += 1) taps.push(await tap());
  return {
    frames: frames / seconds,
    kilobytes: characters / 1000 / seconds,
    busy,
    tapMs: taps.toSorted((a, b) => a - b)[Math.floor(TAPS / 2)] ?? -1,
    megabytes: (await bench.memory()) / 1e6,
  };
}

/** Has the page sent what `filter` says, and waits until it has asked for that. */
async function send(filter: PageFilter, entities: number | null): Promise<void> {
  const from = bench.facts.length;
  await bench.driven.onCommand({ type: 'page.entities', filter });
  await bench.fact('page.subscribed', (asked) => asked.entities === entities, from);
  await untilShown(bench);
  // The answers that the page requests on reconnecting have arrived.
  await until('the page is calm', async () => {
    const before = await arrived();
    await bench.driven.probe();
    return (await arrived()).characters - before.characters < 2000;
  });
}

const rows: Record<string, Cost> = {};

describe.skipIf(noBrowser)('a dashboard of 20 entities in a house of 2,000', () => {
  beforeAll(async () => {
    home = await house();
    client = await home.client();
    await client.call('lovelace/dashboards/create', {
      url_path: 'tiles-panel',
      title: 'wall',
      mode: 'storage',
      require_admin: false,
      show_in_sidebar: true,
    });
    const tiles = used.map((entity) => ({ type: 'tile', entity }));
    await client.call('lovelace/config/save', {
      url_path: 'tiles-panel',
      config: { views: [{ title: 'Hall', path: 'hall', cards: tiles }] },
    });
    const outcome: TokenOutcome = { ok: true, token: home.token, expiresInSeconds: 1800, origin: home.url };
    bench = await openBench({ origin: home.url, appearance: PLAIN }, () => Promise.resolve(outcome));
    await bench.call('Performance.enable');
    await bench.call('Page.addScriptToEvaluateOnNewDocument', { source: COUNTER });
    await bench.driven.onCommand({ type: 'page.entities', filter: none });
    expect(await bench.settle({ type: 'page.load', path: '/tiles-panel/hall' })).toMatchObject({ outcome: 'shown' });
    await untilShown(bench);
    await until('the tiles are drawn', async () => (await countOf('hui-tile-card')) === USED);
  });
  afterAll(async () => {
    await bench?.end();
    await rate(0);
  });

  it(
    'is sent a thirtieth of the frames',
    async () => {
      await rate(0);
      const idle = await measure();
      await rate(CHANGES);
      const whole = await measure();
      const warnings = await countOf('ha-alert, hui-warning, hui-error-card');
      await send(cut, USED);
      const filtered = await measure();
      Object.assign(rows, { idle, whole, filtered });
      // The evenly spread changes of the entities that are shown: 2 a second of the 200.
      expect(whole.frames).toBeGreaterThan(10);
      expect(filtered.frames - idle.frames).toBeLessThanOrEqual((whole.frames - idle.frames) / 30);
      expect(await countOf('hui-tile-card')).toBe(USED);
      expect(await countOf('ha-alert, hui-warning, hui-error-card')).toBe(warnings);
      const file = process.env['SCONCE_BENCH_FILE'];
      if (file === undefined) console.table(rows);
      else writeFileSync(file, JSON.stringify(rows));
    },
    60_000 + 6 * WINDOW_MS,
  );
});
