import { describe, expect, it } from 'vitest';

import type { Part } from '#actors/kit/part.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { type ChildSpec, type GroupSpec, isGroup, stopBoundMs, workerIds } from '#actors/kit/spec.ts';
import { superviseAll } from '#actors/tree.ts';
import { openLogStoreIn } from '#bin/open-log-store.ts';
import { lazyApp } from '#bin/lazy-app.ts';
import { firstParts, laterParts, lateGroupsOf, loadGroup } from '#bin/parts/all.ts';
import type { PartDeps } from '#bin/parts/deps.ts';
import { createSwitchedParts } from '#bin/parts/switched.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { subsystems } from '#machines/subsystems.ts';
import { supervisionGroups } from '#machines/supervision-groups.ts';
import { createQuestionTab } from '#drivers/renderer/question-tab.ts';
import { createUseMark } from '#drivers/renderer/use-mark.ts';
import { createCompanionExchange } from '#drivers/companion/exchange.ts';
import { createTurnChannel } from '#drivers/voice/turn-channel.ts';
import { createUseOverlay } from '#drivers/renderer/use-overlay.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { emergencyProfile } from '#profiles/emergency.ts';
import { resolveProfile } from '#profiles/resolve.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';
import { fakeAdmission } from '../fakes/admission.ts';
import { fakeDeps } from '../fakes/route-deps.ts';

/** The whole process is killed after five seconds; a little of that is left for the process itself. */
const STOP_MS = 4900;

const log = createLogger({ level: 'error', secretKeys: [], human: false, write: () => {} });

const depsOf = (profile: ResolvedProfile, responder: string | null): PartDeps => ({
  registry: createRegistry(),
  admission: fakeAdmission(),
  questions: createQuestionTab({ elapsed: () => 0 }),
  mark: createUseMark({ elapsed: () => 0 }),
  channel: createTurnChannel(() => 0),
  overlay: createUseOverlay({
    elapsed: () => 0,
    now: () => 0,
    followLight: () => () => {},
    channel: { onWords: () => () => {} },
  }),
  companion: createCompanionExchange(),
  tree: fakeDeps().tree,
  rootShell: false,
  switched: createSwitchedParts(createRegistry()),
  profile,
  log,
  logStore: openLogStoreIn('/nowhere', log),
  now: () => 0,
  folder: '/nowhere',
  document: '/nowhere/state.json',
  port: 0,
  streamPort: 0,
  version: '0.0.0',
  build: '00000000',
  app: lazyApp(fakeDeps(), () => Promise.resolve(fakeDeps().status)),
  early: () => null,
  service: { socket: null, listening: false, heartbeatMs: null },
  responder,
  inspecting: true,
  relight: null,
  readOnly: false,
  renderer: null,
  boot: { active: null, commandLine: true, issues: [], startedAt: 0 },
  comesBack: [],
  askedProfile: null,
  defaultProfile: null,
  openFiles: [],
  resetFailure: null,
  restoreFailure: null,
  machineRoot: '/',
});

const lateGroups = supervisionGroups.filter(({ within, onGiveUp }) => within === undefined && onGiveUp === 'park');

/** Every worker of the agent with its concrete drivers. */
async function assembleParts(deps: PartDeps): Promise<readonly Part[]> {
  const later = await Promise.all(lateGroups.map(({ id }) => loadGroup(id, deps)));
  return [...firstParts(deps), ...later.flat()];
}

const responder = '/nowhere/responder.cjs';
const parts = (): Promise<readonly Part[]> => assembleParts(depsOf(simulatedProfile(), responder));

const tree = async (): Promise<GroupSpec> => superviseAll(await parts());

function find(spec: ChildSpec | GroupSpec, id: string): ChildSpec | GroupSpec | null {
  if (spec.id === id) return spec;
  return isGroup(spec) ? (spec.children.map((child) => find(child, id)).find((found) => found !== null) ?? null) : null;
}

function bundled(id: string): ResolvedProfile {
  const found = bundledProfile(id);
  if (found === null) throw new Error(id);
  return resolveProfile(found.document, { hash: found.summary.revision, origin: 'bundled' });
}

describe('the parts that are loaded later', () => {
  it.each([
    ['the simulated panel', simulatedProfile(), responder],
    ['any Linux panel', bundled('generic-linux'), null],
    ['an Android panel', bundled('sonoff-nspanel-pro'), responder],
    ['a panel without a profile', emergencyProfile(), null],
  ])('are those that were told of before, on %s', async (_, profile, program) => {
    const deps = depsOf(profile, program);
    const ids = (of: readonly Part[]): readonly string[] => of.map(({ id, group }) => `${group} ${id}`).toSorted();
    const loaded = await assembleParts(deps);
    expect(loaded.length).toBeGreaterThan(25);
    expect(ids(loaded)).toEqual(ids([...firstParts(deps), ...laterParts(deps)]));
    expect(loaded.filter(({ hopeless }) => hopeless)).toEqual([]);
  });
});

describe('the groups that are loaded later', () => {
  const load = () => Promise.resolve(() => []);
  const sound = { id: 'sound', onGiveUp: 'park' } as const;

  it('are those of the root that park, with the groups under them', () => {
    const base = { id: 'base', onGiveUp: 'escalate' } as const;
    const nested = [
      { id: 'player', within: 'sound', onGiveUp: 'park' },
      { id: 'decoder', within: 'player', onGiveUp: 'park' },
    ] as const;
    const [only, ...others] = lateGroupsOf([base, sound, ...nested], { sound: load });
    expect(only?.[0]).toBe('sound');
    expect([...(only?.[1].groups ?? [])]).toEqual(['sound', 'player', 'decoder']);
    expect(others).toEqual([]);
  });

  it('have a loader each, and no loader is without a group', async () => {
    expect(() => lateGroupsOf([sound], {})).toThrow('loads no parts of the group sound');
    expect(() => lateGroupsOf([sound], { sound: load, light: load })).toThrow('light');
    await expect(loadGroup('light', depsOf(simulatedProfile(), null))).rejects.toThrow('the group light');
  });
});

describe('a group that cannot be loaded', () => {
  it('has its parts all the same, each parked at its first failure', async () => {
    const deps = depsOf(simulatedProfile(), null);
    const lost = lateGroupsOf([{ id: 'upkeep', onGiveUp: 'park' }], {
      upkeep: () => Promise.reject(new Error('damaged')),
    });
    const loaded = await loadGroup('upkeep', deps, lost);
    const own = (of: readonly Part[]) => of.filter(({ group }) => group === 'upkeep').map(({ id }) => id);
    expect(own(loaded)).toEqual(own(laterParts(deps)));
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.every(({ hopeless }) => hopeless === true)).toBe(true);
  });
});

describe('the tree', () => {
  it('stops within the time after which the process is killed', async () => {
    expect(stopBoundMs(await tree())).toBeLessThanOrEqual(STOP_MS);
  });

  it('has every part once, in the group that its manifest names and in the order of the subsystems', async () => {
    const all = await parts();
    const supervised = superviseAll(all);
    const started = workerIds(supervised);
    expect(started.length).toBeGreaterThan(30);
    expect(started.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    const order = subsystems.flatMap<string>(({ ids }) => ids);
    expect(started).toEqual(order.filter((id) => started.includes(id)));
    for (const manifest of subsystems) {
      const group = manifest.group === null ? null : find(supervised, manifest.group);
      for (const id of manifest.ids.filter((one) => started.includes(one)))
        expect(group, id).toMatchObject({ children: expect.arrayContaining([expect.objectContaining({ id })]) });
    }
  });

  it('does not leave the service manager’s watchdog without a heartbeat for long', async () => {
    const group = find(await tree(), 'heartbeat');
    expect(group).toMatchObject({ onGiveUp: 'park', parkRetryMs: 5000, children: [{ id: 'service' }] });
  });
});
