import { describe, expect, test } from 'vitest';

import type { AskOutcome } from '#actors/kit/registry.ts';
import type { NamedEvent } from '#machines/kit/actor.ts';
import type { RendererPhase, TapOutcome } from '#machines/renderer/events.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { depsIn } from '#test/fakes/renderer.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';
import { signedIn, start } from '../machines/renderer/start.ts';

type Deps = ReturnType<typeof fakeDeps>;

const post = (deps: Deps, path: string, body: string, type = 'application/json'): Promise<Response> =>
  Promise.resolve(
    createApp(deps).fetch(
      new Request(`http://panel.invalid${path}`, { method: 'POST', headers: { 'content-type': type }, body }),
      {},
    ),
  );
const tap = (deps: Deps, body: object): Promise<Response> => post(deps, '/api/v1/input', JSON.stringify(body));
const refusalOf = async (response: Response): Promise<[number, Problem]> => [
  response.status,
  Problem().parse(await response.json()),
];
function answering(value: AskOutcome<TapOutcome>, deps = fakeDeps()): Deps {
  deps.registry.answer = () => value;
  return deps;
}

describe('POST /api/v1/input where the built-in renderer shows a page', () => {
  const png = new Uint8Array([137, 80, 78, 71]);

  test('taps it, and gives the picture that was taken after the tap', async () => {
    const deps = answering({ ok: true, value: { ok: true, png: null } });
    const done = await tap(deps, { x: 3, y: 4.5 });
    expect([done.status, await done.json()]).toEqual([202, { ok: true }]);
    expect(deps.registry.told).toEqual([
      { id: 'renderer', event: { type: 'renderer.tap', x: 3, y: 4.5, capture: false } },
    ]);
    const shown = await tap(answering({ ok: true, value: { ok: true, png } }), { x: 3, y: 4, capture: true });
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'no-store',
    ]);
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(png);
  });

  test.each([
    ['?capture=true', {}, true],
    ['?capture=1', {}, true],
    ['?capture=false', { capture: true }, true],
    ['?capture=true', { capture: false }, true],
    ['?capture=false', {}, false],
    ['', {}, false],
  ])('takes the wish for a picture from the query %j and the body %j alike', async (query, more, capture) => {
    const deps = answering({ ok: true, value: { ok: true, png } });
    const shown = await post(deps, `/api/v1/input${query}`, JSON.stringify({ x: 9, y: 9, ...more }));
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(deps.registry.told).toEqual([{ id: 'renderer', event: { type: 'renderer.tap', x: 9, y: 9, capture } }]);
  });

  test.each(['?capture=perhaps', '?capture=true&capture=true', '?picture=true'])(
    'refuses the query %s, and taps nothing',
    async (query) => {
      const deps = answering({ ok: true, value: { ok: true, png } });
      const [status, problem] = await refusalOf(
        await post(deps, `/api/v1/input${query}`, JSON.stringify({ x: 9, y: 9 })),
      );
      expect([status, problem.error]).toEqual([400, 'invalid-query']);
      expect(deps.registry.told).toEqual([]);
    },
  );

  test('takes a form', async () => {
    const deps = answering({ ok: true, value: { ok: true, png } });
    const shown = await post(deps, '/api/v1/input', 'x=3&y=4&capture=1', 'application/x-www-form-urlencoded');
    expect(shown.status).toBe(200);
    expect(deps.registry.told[0]?.event).toEqual({ type: 'renderer.tap', x: 3, y: 4, capture: true });
  });

  test('taps the offline page too, while nobody has signed in', async () => {
    const waiting = depsIn('waiting', { credential: { phase: 'needed', method: null, revision: 1 } });
    expect((await tap(answering({ ok: true, value: { ok: true, png: null } }, waiting), { x: 0, y: 0 })).status).toBe(
      202,
    );
  });

  test('names the bound that a point is beyond', async () => {
    const outside = answering({ ok: true, value: { ok: false, reason: 'outside', width: 1280, height: 800 } });
    expect(await refusalOf(await tap(outside, { x: 1280, y: 799 }))).toEqual([
      400,
      {
        ok: false,
        error: 'bad-value',
        message: 'The field "x" must be a number from 0 to 1279: the picture is 1280 × 800 pixels.',
        reasons: { x: 'The field "x" must be a number from 0 to 1279: the picture is 1280 × 800 pixels.' },
      },
    ]);
    const [, both] = await refusalOf(await tap(outside, { x: 2000, y: 800 }));
    expect(Object.keys(both.reasons ?? {})).toEqual(['x', 'y']);
  });

  test.each([
    ['tap-failed', 502, { ok: true, value: { ok: false, reason: 'no-answer' } }],
    ['tap-failed', 502, { ok: true, value: { ok: false, reason: 'busy' } }],
    ['completion-unknown', 504, { ok: true, value: { ok: false, reason: 'unknown' } }],
    ['completion-unknown', 504, { ok: false, reason: 'timeout' }],
    ['completion-unknown', 504, { ok: false, reason: 'ended' }],
    ['restarting', 503, { ok: false, reason: 'absent' }],
    ['not-here', 409, { ok: true, value: { ok: false, reason: 'not-shown' } }],
    ['not-here', 409, { ok: true, value: { ok: false, reason: 'not-possible' } }],
    // The tap was made, and no picture came.
    ['screenshot-unavailable', 503, { ok: true, value: { ok: true, png: null } }],
  ] as const)('says %s (%i) of %j', async (code, status, outcome) => {
    const [seen, problem] = await refusalOf(await tap(answering(outcome), { x: 1, y: 1, capture: true }));
    expect([seen, problem.error]).toEqual([status, code]);
    expect(problem.message.length).toBeGreaterThan(20);
  });
});

describe('POST /api/v1/input elsewhere', () => {
  const asked: NamedEvent[] = [];
  const deaf = (phase: RendererPhase, change: Partial<RendererFacts>): Deps => {
    const deps = depsIn(phase, change);
    deps.registry.answer = (_, event) => {
      asked.push(event);
      return { ok: false, reason: 'timeout' };
    };
    return deps;
  };

  test.each([
    ['no browser runs', 'off', {}, 'started without a dashboard'],
    ['another program shows it', 'showing', { mode: 'external' }, 'cannot be tapped from outside'],
  ] as const)('is refused in plain words where %s, and nothing is asked', async (_, phase, change, words) => {
    const [status, problem] = await refusalOf(await tap(deaf(phase, change), { x: 1, y: 1 }));
    expect([status, problem.error]).toEqual([409, 'not-here']);
    expect(problem.message).toContain(words);
    expect(asked).toEqual([]);
  });

  test('is refused while the part restarts', async () => {
    const deps = fakeDeps();
    deps.registry.put('renderer', undefined);
    expect((await refusalOf(await tap(deps, { x: 1, y: 1 })))[1].error).toBe('restarting');
  });
});

describe('the verbs of the dashboard before anybody has signed in', () => {
  /** Routes over the renderer's real machine, which stands on the offline page. */
  const unsigned = () => {
    const renderer = start();
    renderer.send({ type: 'credential.changed', credential: { phase: 'needed', method: null, revision: 1 } });
    renderer.ready();
    renderer.settle('shown', { path: '/glass' });
    const deps = fakeDeps();
    const put = (): void => {
      const { value, context } = renderer.actor.getSnapshot();
      deps.registry.put('renderer', context, value);
    };
    put();
    const tell = (_: string, event: NamedEvent): 'delivered' => {
      // The routes tell no other actor here, and only what the machine accepts.
      renderer.actor.send(event as Parameters<typeof renderer.send>[0]);
      put();
      return 'delivered';
    };
    Object.assign(deps.registry, { tell });
    const act = (body: object): Promise<Response> => post(deps, '/api/v1/action', JSON.stringify(body));
    return { act, renderer, deps };
  };

  test.each(['home', 'reload'])('%s says that nothing is shown, and so does the status', async (a) => {
    const { act, deps } = unsigned();
    const [status, problem] = await refusalOf(await act({ a }));
    expect([status, problem.error]).toEqual([409, 'not-here']);
    expect(problem.message).toBe(
      'No dashboard is shown yet: sign in first. Scan the code on the screen of the panel, or open its page /sign-in.',
    );
    const document = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/status'), {});
    expect(await document.json()).toMatchObject({
      renderer: { navigation: { outcome: 'refused', origin: 'http', message: problem.message } },
    });
  });

  test('a page is kept until the sign-in, and the answer says so', async () => {
    const { act, renderer } = unsigned();
    const response = await act({ a: 'navigate', path: '/lovelace/door' });
    expect([response.status, await response.json()]).toEqual([
      202,
      { ok: true, action: 'navigate', message: 'Kept: it is shown once the panel is signed in to Home Assistant.' },
    ]);
    renderer.send({ type: 'credential.changed', credential: { ...signedIn, revision: 2 } });
    expect(renderer.last('page.load')).toMatchObject({ path: '/lovelace/door' });
  });

  test('a page elsewhere is refused for its own reason', async () => {
    const { act } = unsigned();
    const [status, problem] = await refusalOf(await act({ a: 'navigate', path: 'http://evil.example/x' }));
    expect([status, problem.error]).toEqual([400, 'bad-value']);
    expect(problem.message).not.toContain('evil');
  });

  test('nothing is kept once the dashboard is shown', async () => {
    const { act, renderer } = unsigned();
    renderer.send({ type: 'credential.changed', credential: { ...signedIn, revision: 2 } });
    renderer.settle('shown');
    expect(await (await act({ a: 'home' })).json()).toEqual({ ok: true, action: 'home' });
  });
});
