import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { openBridge } from '#drivers/renderer/bridge.ts';
import type { DevToolsEvent } from '#drivers/renderer/devtools.ts';
import type { PageSession } from '#drivers/renderer/session.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

const origin = 'http://home:8123';
const token: TokenOutcome = { ok: true, token: 'access-1', expiresInSeconds: 1800, origin };

function open(answer: () => Promise<TokenOutcome>) {
  const listeners: ((event: DevToolsEvent) => void)[] = [];
  const facts: BrowserFact[] = [];
  const evaluated: { readonly expression: string; readonly context: string | undefined }[] = [];
  const asked: boolean[] = [];
  const tokensAsked: string[] = [];
  const wishes: string[] = [];
  const assisted: (string | null)[] = [];
  const touched: boolean[] = [];
  let hasAssist = false;
  let evaluation: unknown = true;
  let now = 0;
  const page: PageSession = {
    id: 's',
    targetId: 't',
    call: () => Promise.resolve({ ok: true, value: {} }),
    evaluate: (expression, options) => {
      evaluated.push({ expression, context: options?.context });
      return Promise.resolve(evaluation);
    },
    listen: (listener) => void listeners.push(listener),
  };
  const bridge = openBridge({
    page,
    origin,
    mainFrame: () => 'main',
    accessToken: (force) => {
      asked.push(force);
      return answer();
    },
    now: () => now,
    send: (fact) => facts.push(fact),
    onReady: () => {},
    ownOrigin: 'http://127.0.0.1:8888',
    onTokenAsked: (context) => tokensAsked.push(context),
    onWish: (wish) => wishes.push(wish),
    hasAssist: () => hasAssist,
    onAssist: (pipelineId, isTouched) => {
      assisted.push(pipelineId);
      touched.push(isTouched);
    },
    version: '1.2.3',
  });
  const tell = (method: string, params: object): void => {
    for (const listener of listeners) listener({ method, params, session: 's' });
  };
  const context = (id: number, frameId: string, at: string, isDefault = true): void =>
    tell('Runtime.executionContextCreated', {
      context: { id, uniqueId: `u${id}`, origin: at, auxData: { frameId, isDefault } },
    });
  const say = (id: number, message: unknown, name = 'sconceBridge'): void =>
    tell('Runtime.bindingCalled', {
      name,
      executionContextId: id,
      payload: typeof message === 'string' ? message : JSON.stringify(message),
    });
  const request = (callback = 'externalAuthSetToken', force = false): object => ({
    type: 'getExternalAuth',
    payload: { callback, ...(force && { force }) },
  });
  return {
    bridge,
    facts,
    evaluated,
    asked,
    tokensAsked,
    wishes,
    tell,
    context,
    say,
    request,
    assisted,
    touched,
    assist: (on: boolean) => (hasAssist = on),
    evaluates: (value: unknown) => (evaluation = value),
    pass: (ms: number) => (now += ms),
  };
}

describe('the bridge to the panel’s own pages', () => {
  test('takes what their main frame asks for, in three words', () => {
    const { context, say, wishes, facts } = open(() => Promise.resolve(token));
    context(1, 'main', 'http://127.0.0.1:8888');
    context(2, 'inner', 'http://127.0.0.1:8888');
    context(3, 'main', origin);
    context(4, 'main', 'http://127.0.0.1:8888', false);
    context(5, 'main', 'http://127.0.0.1:8889');
    for (const id of [2, 3, 4, 5, 6]) say(id, 'wish:relaxed');
    for (const word of ['', 'Hardened', 'constructor', '__proto__', 'hardened ']) say(1, `wish:${word}`);
    expect(wishes).toEqual([]);
    for (const word of ['questions', 'hardened', 'relaxed']) say(1, `wish:${word}`);
    expect(wishes).toEqual(['questions', 'hardened', 'relaxed']);
    expect(facts).toEqual([]);
  });
});

describe('the bridge to Home Assistant’s page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('answers Home Assistant’s main frame and nobody else', async () => {
    const { asked, tokensAsked, evaluated, context, say, request, tell } = open(() => Promise.resolve(token));
    context(1, 'main', 'http://home:9999');
    context(2, 'frame', origin);
    context(3, 'main', origin, false);
    context(4, 'main', 'https://home:8123');
    for (const id of [1, 2, 3, 4, 5, -1]) say(id, request());
    expect(asked).toEqual([]);
    context(6, 'main', origin);
    say(6, request(), 'another');
    say(6, 'no json');
    say(6, request('alert(1);x'));
    say(6, request('a'.repeat(65)));
    expect(asked).toEqual([]);
    expect(tokensAsked).toEqual([]);
    say(6, request('externalAuthSetToken', true));
    expect(tokensAsked).toEqual(['u6']);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([true]);
    expect(evaluated).toHaveLength(1);
    expect(evaluated[0]).toMatchObject({ context: 'u6' });
    expect(evaluated[0]?.expression).toContain(
      'window.externalAuthSetToken(true, {"access_token":"access-1","expires_in":1800})',
    );
    tell('Runtime.executionContextsCleared', {});
    say(6, request());
    expect(asked).toHaveLength(1);
  });

  test('answers within its bound where no token comes, and does not let requests pile up', async () => {
    const { asked, evaluated, facts, context, say, request } = open(() => new Promise(() => {}));
    context(1, 'main', origin);
    for (let turn = 0; turn < 6; turn += 1) say(1, request());
    expect(asked).toHaveLength(4);
    expect(evaluated.map(({ expression }) => expression.includes('(false, "busy")'))).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(8000);
    expect(evaluated).toHaveLength(6);
    expect(evaluated.at(-1)?.expression).toContain('window.externalAuthSetToken(false, "no token")');
    expect(facts).toHaveLength(4);
    expect(facts[0]).toMatchObject({ type: 'page.token-refused', reason: 'unreachable' });
    say(1, request());
    expect(asked).toHaveLength(5);
  });

  test('takes a rejection for an unreachable Home Assistant', async () => {
    const { facts, context, say, request } = open(() => Promise.reject(new Error('gone')));
    context(1, 'main', origin);
    say(1, request());
    await vi.advanceTimersByTimeAsync(0);
    expect(facts).toMatchObject([{ type: 'page.token-refused', reason: 'unreachable' }]);
  });

  test('reports one touch a second, from any frame', () => {
    const { facts, say, pass } = open(() => Promise.resolve(token));
    for (let turn = 0; turn < 4; turn += 1) {
      say(99, 'touch');
      pass(400);
    }
    expect(facts.filter(({ type }) => type === 'page.touched')).toEqual([
      { type: 'page.touched', at: 0 },
      { type: 'page.touched', at: 1200 },
    ]);
  });

  test.each([' touch', '{"type":"touch"}', ' {"type":"touch"}'])('takes %j of a page for no touch', (message) => {
    const { facts, say, context } = open(() => Promise.resolve(token));
    context(1, 'main', origin);
    say(1, message);
    expect(facts).toEqual([]);
  });

  test('reports the way back from Home Assistant’s main frame alone, and from no page’s own message', () => {
    const { facts, say, context } = open(() => Promise.resolve(token));
    context(1, 'frame', origin);
    context(2, 'main', 'http://home:9999');
    for (const id of [1, 2, 4]) say(id, 'back');
    context(3, 'main', origin);
    say(3, ' back');
    expect(facts).toEqual([]);
    say(3, 'back');
    expect(facts).toEqual([{ type: 'page.back-asked', at: 0 }]);
  });

  test('waits for the page’s own answer to a command, and no longer than five seconds', async () => {
    const { bridge, context, say, evaluated } = open(() => Promise.resolve(token));
    expect(await bridge.command('navigate', { path: '/a' })).toMatchObject({ ok: false, reason: 'not-ready' });
    context(1, 'main', origin);
    const result = (id: number, success: boolean): object => ({
      type: 'externalBus',
      payload: { id, type: 'result', success },
    });
    const taken = bridge.command('navigate', { path: '/a' });
    say(1, result(1, true));
    expect(await taken).toMatchObject({ ok: true });
    const refused = bridge.command('navigate', { path: '/a' });
    say(1, result(2, false));
    expect(await refused).toMatchObject({ ok: false, reason: 'not-ready' });
    const silent = bridge.command('navigate', { path: '/a' });
    await vi.advanceTimersByTimeAsync(4900);
    expect(await Promise.race([silent, Promise.resolve('waiting')])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(100);
    expect(await silent).toMatchObject({ ok: false, reason: 'timeout' });
    expect(evaluated.every(({ context: where }) => where === 'u1')).toBe(true);
  });

  test('hears of entities from Home Assistant’s main frame alone', () => {
    const { facts, context, say } = open(() => Promise.resolve(token));
    context(1, 'frame', origin);
    context(2, 'main', 'http://home:9999');
    context(3, 'main', origin);
    const read = { type: 'read', dashboard: 'lovelace', ids: ['light.hall'] };
    for (const id of [1, 2, 4]) say(id, read);
    expect(facts).toEqual([]);
    say(3, read);
    expect(facts).toMatchObject([{ type: 'page.entities-read', entityIds: ['light.hall'] }]);
  });

  test('passes on what the page says of itself', () => {
    const { facts, context, say } = open(() => Promise.resolve(token));
    context(1, 'main', origin);
    const bus = (type: string, payload?: object): object => ({
      type: 'externalBus',
      payload: { id: 1, type, ...(payload && { payload }) },
    });
    for (const event of ['connected', 'disconnected', 'auth-invalid', 'something-new'])
      say(1, bus('connection-status', { event }));
    say(1, bus('config_screen/show'));
    say(1, bus('frontend/loaded'));
    say(1, bus('haptic', { hapticType: 'light' }));
    expect(facts.map((fact) => (fact.type === 'page.connection' ? fact.state : fact.type))).toEqual([
      'connected',
      'disconnected',
      'auth-invalid',
      'page.settings-asked',
      'page.loaded',
    ]);
  });
});

describe('the Assist button of Home Assistant’s page', () => {
  const show = (pipeline?: unknown): object => ({
    type: 'externalBus',
    payload: { id: 9, type: 'assist/show', payload: { pipeline_id: pipeline, start_listening: true } },
  });
  const configure = { type: 'externalBus', payload: { id: 1, type: 'config/get' } };

  test('leads to the panel’s voice while that is on, at most once in 2 s, for the main frame alone', () => {
    const { context, say, assisted, assist, pass } = open(() => Promise.resolve(token));
    context(1, 'main', origin);
    context(2, 'frame', origin);
    say(1, show('preferred'));
    expect(assisted).toEqual([]);
    assist(true);
    say(2, show('preferred'));
    say(1, show('01jq8xq2'));
    say(1, show('another'));
    pass(1999);
    say(1, show('another'));
    expect(assisted).toEqual(['01jq8xq2']);
    for (const asked of ['preferred', 'last_used', undefined, 7, '', 'no id!', 'a'.repeat(65)]) {
      pass(2000);
      say(1, show(asked));
    }
    expect(assisted.slice(1)).toEqual(Array.from({ length: 7 }, () => null));
  });

  test('counts as touched once for each touch, for 5 s, whatever frame was touched', () => {
    const { context, say, touched, assist, pass } = open(() => Promise.resolve(token));
    context(1, 'main', origin);
    context(2, 'frame', 'http://elsewhere');
    assist(true);
    const ask = (afterMs: number): boolean | undefined => {
      pass(afterMs);
      say(1, show());
      return touched.at(-1);
    };
    expect(ask(10_000)).toBe(false);
    // Sent by a card, with the space that the page's own messages get.
    say(1, ' touch');
    expect(ask(2000)).toBe(false);
    say(1, 'touch');
    // Right after a script was refused.
    expect([ask(0), ask(2000)]).toEqual([true, false]);
    say(1, 'touch');
    expect([ask(5000), ask(2000)]).toEqual([true, false]);
    say(2, 'touch');
    expect(ask(5001)).toBe(false);
    say(2, 'touch');
    say(2, 'touch');
    expect([ask(2000), ask(2000)]).toEqual([true, false]);
    expect(touched).toHaveLength(9);
  });

  test('is told by the configuration, and in the open page when that changes', async () => {
    const { bridge, context, say, assist, evaluated, evaluates, tell } = open(() => Promise.resolve(token));
    const last = (): string => evaluated.at(-1)?.expression ?? '';
    expect(await bridge.tellAssist()).toBe(true);
    context(1, 'main', origin);
    // It has not asked yet.
    assist(true);
    expect([await bridge.tellAssist(), evaluated]).toEqual([true, []]);
    say(1, configure);
    expect(last()).toContain('"hasAssist":true');
    const before = evaluated.length;
    expect([await bridge.tellAssist(), evaluated.length]).toEqual([true, before]);
    assist(false);
    expect(await bridge.tellAssist()).toBe(true);
    expect([last(), evaluated.at(-1)?.context]).toEqual([expect.stringContaining('config.hasAssist = false'), 'u1']);
    evaluates(false);
    assist(true);
    // It is still being loaded, and told once it is.
    expect(await bridge.tellAssist()).toBe(true);
    say(1, { type: 'externalBus', payload: { id: 2, type: 'frontend/loaded' } });
    expect(await bridge.tellAssist()).toBe(false);
    const told = evaluated.length;
    expect([await bridge.tellAssist(), evaluated.length]).toEqual([true, told]);
    tell('Runtime.executionContextsCleared', {});
    context(2, 'main', origin);
    assist(false);
    expect(await bridge.tellAssist()).toBe(true);
  });
});
