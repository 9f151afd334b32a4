import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { chartOf } from '#actors/kit/chart.ts';
import { createInspector } from '#actors/kit/inspector.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { treeOf } from '#actors/kit/tree.ts';
import { logFault, logRootCrash, logSupervision } from '#bin/part-log.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { relightMachine } from '#machines/relight/machine.ts';
import { createApp } from '#routes/app.ts';
import { createClock } from '#test/fakes/kit-clock.ts';
import { group } from '#test/fakes/kit-workers.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const bundle = fileURLToPath(new URL('../..', import.meta.url));
const MARKER = 'marker-5e1f';

/** Throws what a library might: an address and a made-up frame in the message, and more of it in fields. */
function crashHere(): never {
  throw Object.assign(new Error(`no answer from http://${MARKER}@10.9.8.7/\n    at ${MARKER} (${bundle}/a.ts:1:1)`), {
    code: 'EMFILE',
    address: MARKER,
    path: `/home/${MARKER}`,
    cause: new Error(MARKER),
  });
}

/** A crashed worker under a supervisor, with the log of the agent, its inspector and its pages. */
function crash() {
  const lines: string[] = [];
  const log = createLogger({ level: 'trace', secretKeys: [], human: false, write: (line) => void lines.push(line) });
  const inspector = createInspector(() => 5);
  const { clock, now } = createClock();
  const registry = createRegistry();
  const logic = relightMachine.provide({ actors: { source: fromDriver<EventObject, undefined, never>(crashHere) } });
  const root = createActor(
    createSupervisor(
      group('root', [{ id: 'relight', logic, restart: 'permanent' }], {
        onGiveUp: 'park',
        intensity: { restarts: 0, periodMs: 1000 },
      }),
      { now, random: () => 0.5, registry, bundle, log: (fact) => logSupervision(log, fact) },
    ),
    { clock, inspect: inspector.inspect },
  );
  registry.attach(root.system);
  root.start();
  const charts = [{ id: 'relight', ...chartOf(logic) }];
  const app = createApp(
    fakeDeps({
      tree: () => treeOf(root),
      inspection: { charts, records: inspector.records, onNext: inspector.onNext },
      logs: log.tail,
    }),
  );
  const page = async (path: string): Promise<string> => {
    const response = await app.fetch(
      new Request(`http://panel.invalid${path}`, { headers: { accept: 'text/html' } }),
      {},
    );
    expect(response.status).toBe(200);
    return await response.text();
  };
  return { lines, log, inspector, page };
}

describe('a crash', () => {
  it('is in the log with class, code and frames, and without its message', () => {
    const { lines } = crash();
    const ended = lines.find((line) => line.includes('The part relight failed.'));
    expect(JSON.parse(ended ?? '{}')).toMatchObject({
      id: 'relight',
      how: 'failed',
      reason: 'relight-watcher/EMFILE',
      class: 'Error',
      code: 'EMFILE',
    });
    expect(ended).toMatch(/"frames":\["crashHere test\/actors\/crash-traces\.test\.ts:\d+:\d+"/);
    expect(lines.find((line) => line.includes('was parked'))).toContain('"reason":"relight-watcher/EMFILE"');
    expect(lines.join('')).not.toMatch(new RegExp(`${MARKER}|10\\.9\\.8\\.7|no answer|${bundle}`));
  });

  it.each(['/api/v1/status', '/api/v1/diag', '/api/v1/dev/machines', '/inspector', '/more', '/health'])(
    'is its code alone in %s',
    async (path) => {
      const { page } = crash();
      const text = await page(path);
      expect(text).not.toMatch(new RegExp(`${MARKER}|10\\.9\\.8\\.7|crashHere|crash-traces`));
      if (path === '/api/v1/status' || path === '/api/v1/dev/machines')
        expect(text).toContain('relight-watcher/EMFILE');
    },
  );

  it('is but the name of an event for the inspector', () => {
    const kept = JSON.stringify(crash().inspector.records());
    expect(kept).toContain('xstate.error.actor.source');
    expect(kept).not.toMatch(new RegExp(`${MARKER}|crashHere|crash-traces|EMFILE`));
  });

  it('of the root and a fault are told in the same way', () => {
    const { lines, log } = crash();
    lines.length = 0;
    const error = { class: 'StoreSilent', code: 'store-silent', frames: ['read agent.cjs:1:2'] };
    const fault = { type: 'fault', id: 'publisher', reason: 'announced-read/store-silent', error } as const;
    logFault(log, { ...fault, again: false });
    logFault(log, { ...fault, again: true });
    logRootCrash(log, { ended: 'failed', reason: 'root-crashed', error: new TypeError(MARKER) }, bundle);
    logRootCrash(log, { ended: 'failed', reason: 'gave-up/x/EIO' }, bundle);
    logRootCrash(log, { ended: 'stopped' }, bundle);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'warn',
        msg: 'Something in the part publisher failed. The part goes on.',
        id: 'publisher',
        reason: 'announced-read/store-silent',
        frames: error.frames,
      },
      { level: 'debug', id: 'publisher', class: 'StoreSilent' },
      { level: 'error', reason: 'root-crashed/TypeError', class: 'TypeError', code: null },
    ]);
    expect(lines.join('')).not.toContain(MARKER);
  });
});
