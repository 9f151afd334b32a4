import { describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { type ChildSpec, type GroupSpec, isGroup, stopBoundMs } from '#actors/kit/spec.ts';
import { superviseAll } from '#actors/tree.ts';
import { assembleParts } from '#bin/parts/all.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { simulatedProfile } from '#profiles/simulated.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '../fakes/route-deps.ts';

/** The whole process is cut after five seconds; a little of that is left for the process itself. */
const STOP_MS = 4900;

const tree = (): GroupSpec =>
  superviseAll(
    assembleParts({
      registry: createRegistry(),
      profile: simulatedProfile(),
      log: createLogger({ level: 'error', secretKeys: [], human: false, write: () => {} }),
      now: () => 0,
      folder: '/nowhere',
      document: '/nowhere/state.json',
      port: 0,
      version: '0.0.0',
      build: '00000000',
      app: createApp(fakeDeps()),
      service: { socket: null, listening: false, heartbeatMs: null },
      responder: '/nowhere/responder.cjs',
      inspecting: true,
      relight: null,
      looking: false,
      renderer: null,
      boot: { active: null, commandLine: true, issues: [], startedAt: 0 },
      askedProfile: null,
    }),
  );

const find = (spec: ChildSpec | GroupSpec, id: string): ChildSpec | GroupSpec | null => {
  if (spec.id === id) return spec;
  return isGroup(spec) ? (spec.children.map((child) => find(child, id)).find((found) => found !== null) ?? null) : null;
};

describe('the tree', () => {
  it('stops within the time after which the process is cut', () => {
    expect(stopBoundMs(tree())).toBeLessThanOrEqual(STOP_MS);
  });

  it('does not leave the service manager’s watchdog without a heartbeat for long', () => {
    const group = find(tree(), 'heartbeat');
    expect(group).toMatchObject({ onGiveUp: 'park', parkRetryMs: 5000, children: [{ id: 'service' }] });
  });
});
