import { describe, expect, it } from 'vitest';

import type { Part } from '#actors/kit/part.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { type ChildSpec, type GroupSpec, isGroup, stopBoundMs, workerIds } from '#actors/kit/spec.ts';
import { superviseAll } from '#actors/tree.ts';
import { keepLogIn } from '#bin/keep-log.ts';
import { lazyApp } from '#bin/lazy-app.ts';
import { assembleParts } from '#bin/parts/all.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { subsystems } from '#machines/subsystems.ts';
import { simulatedProfile } from '#profiles/simulated.ts';
import { fakeDeps } from '../fakes/route-deps.ts';

/** The whole process is killed after five seconds; a little of that is left for the process itself. */
const STOP_MS = 4900;

const log = createLogger({ level: 'error', secretKeys: [], human: false, write: () => {} });

const parts = (): Promise<readonly Part[]> =>
  assembleParts({
    registry: createRegistry(),
    profile: simulatedProfile(),
    log,
    keeper: keepLogIn('/nowhere', log),
    now: () => 0,
    folder: '/nowhere',
    document: '/nowhere/state.json',
    port: 0,
    version: '0.0.0',
    build: '00000000',
    app: lazyApp(fakeDeps(), () => Promise.resolve(fakeDeps().status)),
    early: () => null,
    service: { socket: null, listening: false, heartbeatMs: null },
    responder: '/nowhere/responder.cjs',
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
  });

const tree = async (): Promise<GroupSpec> => superviseAll(await parts());

const find = (spec: ChildSpec | GroupSpec, id: string): ChildSpec | GroupSpec | null => {
  if (spec.id === id) return spec;
  return isGroup(spec) ? (spec.children.map((child) => find(child, id)).find((found) => found !== null) ?? null) : null;
};

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
