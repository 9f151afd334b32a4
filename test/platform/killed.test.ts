import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { Home } from './home-assistant/home.ts';
import { resident } from './home-assistant/onboard.ts';
import { untilShown } from './kit/driven.ts';
import { expectNoToken } from './kit/leaks.ts';
import { SecondBrowser } from './kit/second-browser.ts';
import { until } from './kit/until.ts';
import { Wall } from './kit/wall.ts';

let home: Home;
let wall: Wall;
/** The driven page alone, beside the whole agent on the wall. */
let bench: Bench;
/** How many facts of the page there were before Home Assistant was killed. */
let before: number;

const signIn = async (
  what: string,
  wanted: (signIn: NonNullable<StatusDocument['sign_in']>) => boolean,
  withinMs = 15_000,
): Promise<unknown> =>
  until(
    what,
    async () => {
      const { sign_in: now } = await wall.agent.status();
      return now !== null && wanted(now) ? now : false;
    },
    withinMs,
  );
const isIn = ({ phase, administrator, reachable }: NonNullable<StatusDocument['sign_in']>): boolean =>
  phase === 'signed-in' && administrator !== null && reachable === true;
const load = (path: string) => bench.settle({ type: 'page.load', path });

beforeAll(async () => {
  const [started, onTheWall, phone] = await Promise.all([Home.start(null), Wall.start(), SecondBrowser.start()]);
  home = started;
  wall = onTheWall;
  await wall.agent.configure({ ha_url: home.url });
  expect(await phone.signIn(wall.agent.origin, resident)).toBe('signed-in');
  await phone.stop();
  await wall.showing();
  const outcome: TokenOutcome = { ok: true, token: home.token, expiresInSeconds: 1800, origin: home.url };
  bench = await openBench({ origin: home.url, appearance: PLAIN }, () => Promise.resolve(outcome));
  expect(await load('/home/overview')).toMatchObject({ outcome: 'shown' });
  await bench.fact('page.connection', ({ state }) => state === 'connected');
  before = bench.facts.length;
});

afterAll(async () => {
  await bench?.end();
  await wall?.stop();
  await home?.stop();
});

describe('while Home Assistant is away', () => {
  beforeAll(() => home.kill());

  it('the driven page is never Chromium’s error page', async () => {
    await bench.fact('page.connection', ({ state }) => state === 'disconnected', before);
    expect(await load('/home/overview')).toMatchObject({ outcome: 'unreachable' });
    expect(await bench.evaluate('location.href')).toBe('about:blank');
  });

  it('the panel says so calmly', async () => {
    await until('the panel shows its own page', async () => (await wall.renderer()).phase === 'waiting', 30_000);
    await until('which says why', async () => (await wall.renderer()).away !== null);
    await wall.look('4-away');
  });

  it('the panel stays signed in', async () => {
    await signIn('it is seen to be away', ({ phase, reachable }) => phase === 'signed-in' && reachable === false);
  });
});

describe('once Home Assistant answers again', () => {
  beforeAll(() => home.startAgain());

  it('the dashboard is back', async () => {
    await wall.backAfter('Home Assistant restarted');
    await wall.look('5-back');
  });

  it('the panel is signed in', async () => {
    await signIn('it is signed in again', isIn, 60_000);
  });

  it('the driven page loads', async () => {
    await until('the dashboard loads', async () => (await load('/home/overview')).outcome === 'shown', 30_000);
    await untilShown(bench, 30_000);
  });
});

describe('after the agent and Home Assistant were both killed', () => {
  it('the panel is still signed in', async () => {
    await Promise.all([wall.agent.kill(), home.kill()]);
    await home.startAgain();
    await wall.agent.startAgain();
    await wall.showing(40_000);
    await signIn('it is signed in again', isIn);
  }, 120_000);

  it('no token is in the browser, in its answers or in its output', () => expectNoToken(wall.agent));
});
