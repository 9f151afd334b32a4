import { describe, expect, test } from 'vitest';
import { judgeAdb } from '#machines/adb/decide.ts';
import type { AdbOutcome } from '#machines/adb/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const png = new Uint8Array([137, 80, 78, 71]);
function androidApp(answer: (command: { readonly do: string }) => AdbOutcome) {
  const deps = fakeDeps(
    {},
    { ...settledFacts(), adb: { phase: 'online', network: false, verdict: judgeAdb({ phase: 'online' }) } },
  );
  // The routes put the command beside the type.
  deps.registry.answer = (id, event) =>
    id === 'adb' && 'command' in event
      ? { ok: true, value: answer(event.command as { do: string }) }
      : { ok: false, reason: 'absent' };
  return { app: createApp(deps), told: deps.registry.told };
}
const call = async (app: ReturnType<typeof createApp>, path: string, body?: unknown): Promise<Response> =>
  app.fetch(
    new Request(
      `http://panel.invalid${path}`,
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    ),
    {},
  );

describe('an Android panel', () => {
  test('is tapped, and shows what came of it', async () => {
    const { app, told } = androidApp((command) => ({
      ok: true,
      text: '',
      png: command.do === 'screenshot' ? png : null,
    }));
    expect((await call(app, '/api/v1/input', { x: 3, y: 4 })).status).toBe(202);
    const shown = await call(app, '/api/v1/input', { x: 3, y: 4, capture: true });
    expect([shown.status, shown.headers.get('content-type'), new Uint8Array(await shown.arrayBuffer())]).toEqual([
      200,
      'image/png',
      png,
    ]);
    expect(told.map(({ event }) => ('command' in event ? event.command : null))).toEqual([
      { do: 'tap', x: 3, y: 4 },
      { do: 'tap', x: 3, y: 4 },
      { do: 'screenshot' },
    ]);
  });
  test('gives its own picture for the screenshot', async () => {
    const { app } = androidApp(() => ({ ok: true, text: '', png }));
    expect((await call(app, '/api/v1/screenshot.png')).headers.get('content-type')).toBe('image/png');
  });
  test('lists its packages in order, and nothing that is no name of one', async () => {
    const { app } = androidApp(() => ({
      ok: true,
      text: 'package:org.b\npackage:org.a\nWARNING: linker\npackage:$(x)\n',
      png: null,
    }));
    expect(await (await call(app, '/api/v1/packages')).json()).toEqual({ present: true, packages: ['org.a', 'org.b'] });
  });
  test.each([
    ['offline', 'answers'],
    ['refused', 'refused'],
  ] as const)('that is %s is told so', async (reason, words) => {
    const response = await call(androidApp(() => ({ ok: false, reason })).app, '/api/v1/input', { x: 1, y: 1 });
    expect([response.status, (await response.text()).includes(words)]).toEqual([503, true]);
  });
});

describe('any other panel', () => {
  test('has neither packages nor Android keys, and says so', async () => {
    const app = createApp(fakeDeps());
    expect((await call(app, '/api/v1/action', { a: 'back' })).status).toBe(409);
    expect(await (await call(app, '/api/v1/packages')).json()).toEqual({ present: false, packages: [] });
  });
});
