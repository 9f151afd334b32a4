import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { byProgram } from '#drivers/renderer/choose.ts';
import { firefox, foreignBrowser } from '#drivers/renderer/foreign.ts';
import type { BrowserCommand, BrowserFact, BrowserInput, ReachabilityCommand } from '#machines/renderer/events.ts';
import type { FollowedFact, DesiredPage } from '#machines/renderer/facts.ts';
import type { ChangeCommand } from '#machines/renderer/change-events.ts';
import { rendererMachine } from '#machines/renderer/machine.ts';
import { shownFacts } from '#test/fakes/renderer.ts';
import { until } from '../../scenarios/live-agent.ts';

const desired: DesiredPage = {
  mode: 'headless',
  simulated: false,
  program: 'firefox',
  origin: 'http://ha.test:8123',
  home: '/lovelace/hall',
  ownOrigin: 'http://127.0.0.1:8888',
  appearance: { zoomPercent: 150, theme: 'dark', kiosk: true, fullscreen: true },
  idleReturnMin: 0,
};

describe('a dashboard in Firefox', () => {
  let folder: string;
  const ends: (() => Promise<void>)[] = [];

  /** Puts a program on the test's own PATH that notes how it was started, and stays. */
  const install = async (): Promise<void> => {
    await writeFile(
      join(folder, 'bin', 'firefox'),
      `#!/bin/sh\necho "$$ $(/bin/date +%s%3N) $*" >> '${folder}/starts'\nexec /bin/sleep 300\n`,
    );
    await chmod(join(folder, 'bin', 'firefox'), 0o755);
  };
  const starts = async (): Promise<
    readonly { readonly pid: number; readonly at: number; readonly args: readonly string[] }[]
  > => {
    const text = await readFile(join(folder, 'starts'), 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => {
      const [pid, at, ...args] = line.split(' ');
      return args.length === 0 ? [] : [{ pid: Number(pid), at: Number(at), args }];
    });
  };
  const nth = (count: number) => until(`start ${count}`, async () => (await starts())[count - 1], 20_000);
  const isGone = async (pid: number): Promise<boolean> => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return stat === '' || / \(.*\) Z/.test(stat);
  };

  const run = () => {
    const unused = fromDriver<BrowserCommand, BrowserInput, BrowserFact>(() => {
      throw new Error('the built-in renderer is not chosen');
    });
    const env = { PATH: join(folder, 'bin') };
    // The lookup adds the system's own folders for tools; a Firefox of this machine is not to be found there.
    const driver = foreignBrowser(firefox, { folder, now: Date.now, env, names: [join(folder, 'bin', 'firefox')] });
    const actor = createActor(
      rendererMachine.provide({
        actors: {
          followed: fromDriver<EventObject, undefined, FollowedFact>(({ send }) =>
            send({ type: 'page.desired', desired }),
          ),
          reachability: fromDriver<ReachabilityCommand, undefined, never>(() => {}),
          changes: fromDriver<ChangeCommand, undefined, never>(() => {}),
          browser: byProgram({ builtin: unused, firefox: driver }),
        },
      }),
    ).start();
    ends.push(() => {
      actor.stop();
      return cleanupsOf(actor.system).settled();
    });
    return { actor, facts: () => shownFacts(actor.getSnapshot()) };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sconce-foreign-'));
    await mkdir(join(folder, 'bin'));
  });
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
    await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  });

  test('starts in kiosk mode with the page and its own profile, and goes elsewhere by a restart', async () => {
    await install();
    const { actor, facts } = run();
    const first = await nth(1);
    expect(first.args).toEqual([
      '--kiosk',
      '--no-remote',
      '--profile',
      join(folder, 'foreign-browser'),
      '--headless',
      'http://ha.test:8123/lovelace/hall',
    ]);
    await until('shown', () => facts().phase === 'showing');
    expect(facts()).toMatchObject({
      mode: 'external',
      rendered: false,
      verdict: { state: 'working', reason: 'shown-elsewhere' },
    });
    const preferences = await readFile(join(folder, 'foreign-browser', 'user.js'), 'utf8');
    for (const line of [
      '"layout.css.devPixelsPerPx", "1.5"',
      '"layout.css.prefers-color-scheme.content-override", 0',
      '"permissions.default.camera", 2',
    ])
      expect(preferences).toContain(line);

    actor.send({ type: 'renderer.navigate', path: '/lovelace/kitchen', origin: 'http' });
    const second = await nth(2);
    expect(second.args.at(-1)).toBe('http://ha.test:8123/lovelace/kitchen');
    expect(await isGone(first.pid)).toBe(true);
    await until('settled', () => facts().lastNavigation?.outcome === 'shown' && facts().path === '/lovelace/kitchen');
    expect(facts().restarts).toEqual([]);

    const replies: EventObject[] = [];
    actor.on('reply', (reply) => void replies.push(reply));
    actor.send({ type: 'renderer.tap', requestId: 'a', x: 1, y: 1, capture: true });
    expect(await until('the answer', () => replies.at(0))).toEqual({
      type: 'reply',
      requestId: 'a',
      outcome: { ok: false, reason: 'not-possible' },
    });
    actor.stop();
    await cleanupsOf(actor.system).settled();
    await until('gone', () => isGone(second.pid));
  }, 20_000);

  test('ends with an agent that is cut short', async () => {
    const before = new Set(process.listeners('exit'));
    await install();
    const { actor } = run();
    const { pid } = await nth(1);
    const added = process.listeners('exit').filter((listener) => !before.has(listener));
    for (const exit of added) exit(1);
    await until('gone', () => isGone(pid));
    actor.stop();
    await cleanupsOf(actor.system).settled();
    expect(process.listeners('exit').filter((listener) => !before.has(listener))).toEqual([]);
  }, 20_000);

  test('comes back when it is killed, more slowly each time, and says so', async () => {
    await install();
    const { facts } = run();
    for (const count of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      process.kill((await nth(count)).pid, 'SIGKILL');
    }
    const [, second, third, fourth] = [await nth(1), await nth(2), await nth(3), await nth(4)];
    expect(third.at - second.at).toBeGreaterThanOrEqual(2_000);
    expect(fourth.at - third.at).toBeGreaterThanOrEqual(5_000);
    expect(facts().restarts.map(({ reason }) => reason)).toEqual(['killed', 'killed', 'killed']);
  }, 40_000);

  test('is searched for again and again where it is missing, with the command that installs it', async () => {
    const { actor, facts } = run();
    await until('absent', () => facts().phase === 'not-installed');
    expect(facts().verdict).toMatchObject({
      state: 'needs_you',
      reason: 'browser-not-installed',
      fix: { command: 'sudo apt-get install -y firefox-esr' },
    });
    await install();
    actor.send({ type: 'renderer.reload', origin: 'http' });
    expect((await nth(1)).args).toContain('--kiosk');
  }, 20_000);
});
