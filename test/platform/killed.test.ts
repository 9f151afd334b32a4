import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { amount } from '#test/fakes/amount.ts';
import { Home } from './home-assistant/home.ts';
import { resident } from './home-assistant/onboard.ts';
import { untilShown } from './kit/driven.ts';
import { expectNoToken } from './kit/leaks.ts';
import { type HealthWatch, watchHealth } from './kit/health-watch.ts';
import { SecondBrowser } from './kit/second-browser.ts';
import { until } from './kit/until.ts';
import { Wall } from './kit/wall.ts';

const restarts = amount<readonly string[]>([], ['in order']);
/** What the driven page alone shows, which is a browser more: not in a plain run. */
const driven = amount<readonly string[]>([], ['/home/overview']);

let home: Home;
let wall: Wall;
/** A connection of its own, past its three minutes of settling, as an administrator; the agent is signed in as none. */
let watch: HealthWatch;
/** The driven page alone, beside the whole agent on the wall; only for `driven`. */
let bench: Bench;
/** How many facts of the page there were before Home Assistant was killed. */
let before: number;

const signIn = async (
  what: string,
  wanted: (signIn: NonNullable<StatusDocument['sign_in']>) => boolean,
  withinMs = 30_000,
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
  const [started, onTheWall, phone] = await Promise.all([
    Home.start(null, { holds: true }),
    Wall.start(),
    SecondBrowser.start(),
  ]);
  home = started;
  wall = onTheWall;
  await wall.agent.configure({ ha_url: home.url });
  expect(await phone.signIn(wall.agent.origin, resident)).toBe('signed-in');
  await phone.stop();
  await wall.showing();
  const outcome: TokenOutcome = { ok: true, token: home.token, expiresInSeconds: 1800, origin: home.url };
  for (const path of driven) {
    bench = await openBench({ origin: home.url, appearance: PLAIN }, () => Promise.resolve(outcome));
    expect(await load(path)).toMatchObject({ outcome: 'shown' });
    await bench.fact('page.connection', ({ state }) => state === 'connected');
    before = bench.facts.length;
  }
  watch = watchHealth(home.url, home.token);
  await until('it is watched', () => watch.phase() === 'live');
});

afterAll(async () => {
  watch?.stop();
  await bench?.end();
  await wall?.stop();
  await home?.stop();
});

/** The tokens of the agent's own health line. */
const health = async (): Promise<string> => (await fetch(`${wall.agent.origin}/health`)).text();

describe('while Home Assistant is away', () => {
  beforeAll(() => home.kill());

  it('the health line tells a loss, and counts no loss of packets', async () => {
    await until('it is lost', async () => (await health()).includes(' ha=connection_lost ha_net=settling'));
    await until('the same without settling', () => watch.tokens().startsWith('ha=connection_lost ha_net=healthy'));
    expect(watch.lifecycle).toEqual(['none', 'normal inferred', 'connection_lost inferred']);
    expect(watch.phase()).toBe('reconnecting');
  });

  it.each(driven)('the driven page %s is never Chromium’s error page', async (path) => {
    await bench.fact('page.connection', ({ state }) => state === 'disconnected', before);
    expect(await load(path)).toMatchObject({ outcome: 'unreachable' });
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
  beforeAll(async () => {
    home.hold();
    await home.startAgain();
  });

  it('it is starting, and then back', async () => {
    await until('it is starting', () => watch.lifecycle.at(-1) === 'starting inferred', 30_000);
    await until('for the agent, too', async () => (await health()).includes(' ha=starting ha_net'), 30_000);
    home.release();
    await until('it is back', () => watch.lifecycle.at(-1) === 'back_online socket', 30_000);
    await until('for the agent, too', async () => (await health()).includes(' ha=back_online ha_net'), 30_000);
  });

  it('the dashboard is back', async () => {
    await wall.backAfter('Home Assistant restarted');
    await wall.look('5-back');
  });

  it('the panel is signed in', async () => {
    await signIn('it is signed in again', isIn, 60_000);
  });

  it('the history has one line for it all, with how long it took', async () => {
    const page = await (await fetch(`${wall.agent.origin}/history`)).text();
    expect(page.match(/Home Assistant restarted and was back after [^<]+\./g)).toHaveLength(1);
    expect(page).not.toMatch(/Home Assistant (?:stopped responding|is starting|left|wasn’t responding)/);
  });

  it.each(driven)('the driven page %s loads', async (path) => {
    await until('the dashboard loads', async () => (await load(path)).outcome === 'shown', 30_000);
    await untilShown(bench, 30_000);
  });
});

describe('when Home Assistant is frozen', () => {
  /** Connected since Home Assistant came back, so that no earlier loss is in its figures. */
  let since: HealthWatch;
  beforeAll(async () => {
    since = watchHealth(home.url, home.token);
    await until('it is measured', () => since.tokens().includes('ha_net_n=1 '));
  });
  afterAll(() => since?.stop());

  // The page itself notices by its own ping alone, which comes every 30 s and is waited for 15 s.
  it('is loss once two pings in a row had no answer, and the dashboard outlives it', async () => {
    home.freeze();
    try {
      await until('one ping had no answer', () => / ha_net=healthy .* ha_net_miss=1 /.test(since.tokens()), 30_000);
      await until('two had none', () => since.tokens().includes(' ha_net=severe '), 20_000);
      expect(since.phase()).toBe('reconnecting');
      expect(since.tokens()).toContain('ha=connection_lost ');
      await until('the panel noticed', async () => (await wall.renderer()).away !== null, 90_000);
      await wall.look('6-frozen');
    } finally {
      home.thaw();
    }
    await wall.backAfter('Home Assistant thawed');
    await until('it is measured again', () => / ha_net=warning /.test(since.tokens()), 30_000);
    expect(since.tokens()).toMatch(/^ha=back_online ha_net=/);
    await until('the other watch is connected again', () => watch.phase() === 'live', 30_000);
  }, 150_000);

  it('is left alone once nothing needs a connection to it', () => {
    since.need({ lifecycle: false });
    expect([since.phase(), since.tokens()]).toEqual(['closed', '']);
  });
});

// One more start of it, which takes five seconds of a core: not in a plain run.
describe.each(restarts)('when Home Assistant restarts %s', () => {
  it('it is told before the connection ends', async () => {
    const from = watch.lifecycle.length;
    await home.restart();
    await until('the connection has ended', () => watch.phase() === 'reconnecting');
    expect(watch.lifecycle.slice(from).filter((word) => word !== 'normal inferred')).toEqual(['shutting_down socket']);
    // The account of the panel is no administrator's and it has no broker: it has only the end of the connection.
    await until('it is lost for the agent', async () => (await health()).includes(' ha=connection_lost ha_net'));
    await until('the panel says so', async () => (await wall.renderer()).away !== null, 30_000);
    await wall.look('7-restarting');
  });
});

describe('after the agent was killed', () => {
  it('the panel is still signed in', async () => {
    await wall.agent.kill();
    if (restarts.length > 0) await home.startAgain();
    await wall.agent.startAgain();
    await wall.showing(40_000);
    await signIn('it is signed in again', isIn);
  }, 120_000);

  it('no token is in the browser, in its answers or in its output', () => expectNoToken(wall.agent));
});
