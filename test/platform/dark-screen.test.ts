import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unseenBrowser } from '#test/browser/program.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { Home } from './home-assistant/home.ts';
import { Agent } from './kit/agent.ts';
import { until } from './kit/until.ts';

/** How soon the offline page has to be shown once Home Assistant has hung and the screen is lit, in milliseconds. */
const noticedWithinMs = 60_000;
/** How soon the dashboard has to be back once Home Assistant goes on, in milliseconds. */
const backWithinMs = 20_000;

/** For how long each panel is dark, in milliseconds: below and above the 5 s after which its page freezes. */
const dark: readonly number[] = [1_000, 10_000, 60_000];
/** When Home Assistant stops, seen from the dark time. */
const moments: readonly Moment[] = ['before', 'during', 'after'];
type Moment = 'before' | 'during' | 'after';

interface Row {
  readonly stopped: Moment;
  readonly darkMs: number;
  readonly noticedMs: number;
  /** Whether the screen was still dark when it was to be lit. */
  readonly stayedDark: boolean;
  /** Whether the dashboard stayed from when the screen was lit until Home Assistant stopped. */
  readonly calm: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'sconce-dark-'));
const token = join(folder, 'token');
let home: Home;
let agents: readonly Agent[] = [];

async function rendererOf(agent: Agent) {
  const { renderer } = await agent.status();
  if (renderer === null) throw new Error('no renderer in the status');
  return renderer;
}
const shows = (agent: Agent, withinMs: number): Promise<boolean> =>
  until(
    'the dashboard is shown',
    async () => {
      const { phase, rendered, place } = await rendererOf(agent);
      return phase === 'showing' && rendered && place === 'dashboard';
    },
    withinMs,
  );
async function isOffline(agent: Agent): Promise<boolean> {
  const { phase, place } = await rendererOf(agent);
  return phase === 'waiting' && place === 'own';
}

/** One panel: dark at `darkAt`, lit at `litAt`, and how long the offline page took from when both were true. */
async function observe(
  agent: Agent,
  { darkAt, litAt, stopAt }: { readonly darkAt: number; readonly litAt: number; readonly stopAt: number },
): Promise<Pick<Row, 'noticedMs' | 'stayedDark' | 'calm'>> {
  const at = (moment: number): Promise<void> => pause(Math.max(0, moment - performance.now()));
  await at(darkAt);
  await agent.act('screen_off');
  await at(litAt);
  const stayedDark = !(await agent.hardware()).screen.powered;
  await agent.act('screen_on');
  let calm = true;
  while (performance.now() < stopAt) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    calm = calm && (await rendererOf(agent)).phase === 'showing';
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await pause(100);
  }
  const since = Math.max(litAt, stopAt);
  await until('the offline page is shown', () => isOffline(agent), noticedWithinMs + 30_000).catch(() => {});
  return { noticedMs: Math.round(performance.now() - since), stayedDark, calm };
}

/** When the screen goes dark, in milliseconds from when Home Assistant stops. */
function darkFrom(stopped: Moment, darkMs: number): number {
  if (stopped === 'before') return 500;
  // In the middle, and behind the freeze where the dark time is long enough for one.
  if (stopped === 'during') return -Math.max(darkMs / 2, Math.min(darkMs - 2_000, 7_000));
  return -darkMs - 8_000;
}

describe.skipIf(noBrowser)('a Home Assistant that hangs while screens are dark', () => {
  beforeAll(async () => {
    home = await Home.start(null);
    writeFileSync(token, home.token);
    chmodSync(token, 0o600);
    const args = ['--renderer', 'headless', '--ha-url', home.url, '--ha-token-file', token];
    agents = await Promise.all(dark.map(() => Agent.start({ args, env: unseenBrowser() })));
    await Promise.all(agents.map((agent) => shows(agent, 90_000)));
  });
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
    await home?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(moments)(
    'is noticed within 60 s when it stops %s the dark time, and the dashboard comes back by itself',
    async (stopped) => {
      const stopAt = performance.now() + 1_000 + Math.max(0, ...dark.map((darkMs) => -darkFrom(stopped, darkMs)));
      const watched = dark.map(async (darkMs, index): Promise<Row> => {
        const agent = agents[index];
        if (agent === undefined) throw new Error('no such panel');
        const darkAt = stopAt + darkFrom(stopped, darkMs);
        return { stopped, darkMs, ...(await observe(agent, { darkAt, litAt: darkAt + darkMs, stopAt })) };
      });
      await pause(stopAt - performance.now());
      home.freeze();
      const rows = await Promise.all(watched).finally(() => home.thaw());
      const since = performance.now();
      for (const { darkMs, noticedMs } of rows)
        console.log(`stopped ${stopped} ${darkMs / 1000} s of darkness: noticed after ${noticedMs} ms`);
      await Promise.all(agents.map((agent) => shows(agent, backWithinMs)));
      console.log(`stopped ${stopped}: all dashboards back after ${Math.round(performance.now() - since)} ms`);
      expect(
        rows.filter(({ noticedMs, stayedDark, calm }) => noticedMs > noticedWithinMs || !stayedDark || !calm),
      ).toEqual([]);
    },
    300_000,
  );
});
