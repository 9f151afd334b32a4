import { describe, expect, it } from 'vitest';

import type { DevToolsEvent } from '#drivers/renderer/devtools.ts';
import type { OverlayContent } from '#drivers/renderer/overlay-script.ts';
import type { PageSession } from '#drivers/renderer/session.ts';
import { createUseOverlay } from '#drivers/renderer/use-overlay.ts';
import { openVoiceOverlay, type OverlayTouch, type VoiceOverlayDeps } from '#drivers/renderer/voice-overlay.ts';
import type { TurnWords } from '#drivers/voice/turn-channel.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { OverlayCommand, OverlayFact, OverlayView } from '#machines/voice/events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver } from '../run-driver.ts';

const idle: OverlayView = { button: true, phase: 'idle', hue: 210, words: false, notice: null, assist: false };
const nowhere: PageSession = {
  id: 's',
  targetId: 't',
  call: () => Promise.resolve(refuse('closed', '')),
  evaluate: () => Promise.resolve(),
  listen: () => {},
};

/** The join over a browser whose overlay notes what it shows. */
function start() {
  let now = 1000;
  let light: ((isLit: boolean) => void) | null = null;
  let listener: ((words: TurnWords | null) => void) | null = null;
  let loads = 0;
  let assistChanges = 0;
  const shown: (OverlayContent | null)[] = [];
  const opened: VoiceOverlayDeps[] = [];
  const use = createUseOverlay({
    elapsed: () => now - 1000,
    now: () => now,
    followLight: (onLight) => {
      light = onLight;
      onLight(true);
      return () => (light = null);
    },
    channel: {
      onWords: (onWords) => {
        listener = onWords;
        onWords(null);
        return () => (listener = null);
      },
    },
  });
  const driver = runDriver<OverlayCommand, OverlayFact>(use.driver);
  return {
    driver,
    shown,
    show: (view: Partial<OverlayView> = {}) => driver.tell({ type: 'overlay.show', view: { ...idle, ...view } }),
    attach: () =>
      use.attach(
        { page: nowhere, origin: null, mainFrame: () => 'f', onAssistChanged: () => (assistChanges += 1) },
        async () => {
          loads += 1;
          return (deps) => {
            opened.push(deps);
            return { show: (content) => void shown.push(content), end: () => void shown.push(null) };
          };
        },
      ),
    loads: () => loads,
    assistChanges: () => assistChanges,
    light: (isLit: boolean) => light?.(isLit),
    isFollowed: () => ({ light: light !== null, words: listener !== null }),
    say: (words: TurnWords | null) => listener?.(words),
    touch: (touch: OverlayTouch, touchedAt = now) => opened.at(-1)?.onTouch(touch, touchedAt),
    pass: (ms: number) => (now += ms),
    facts: () => driver.facts.map(({ type }) => type.replace('overlay.', '')).join(),
  };
}

describe('the overlay and the browser that runs', () => {
  it('loads nothing until there is something to show, once', async () => {
    const room = start();
    const attached = room.attach();
    room.show({ button: false });
    room.show({ button: false, phase: 'error' });
    expect([room.loads(), room.isFollowed()]).toEqual([0, { light: true, words: false }]);
    room.show({ button: false, phase: 'listening' });
    room.show();
    await until('it is shown', () => room.shown.length === 1);
    expect(room.shown).toEqual([{ button: true, phase: 'idle', hue: 210, heard: null, answer: null }]);
    room.show({ button: false });
    expect([room.loads(), room.shown.at(-1)]).toEqual([1, null]);
    attached.detach();
  });

  it('says why a press began nothing, also without its own button and without words', async () => {
    const room = start();
    const attached = room.attach();
    room.show({ button: false, phase: 'error', notice: 'Home Assistant could not be reached.' });
    await until('it is shown', () => room.shown.length === 1);
    expect(room.shown.at(-1)).toMatchObject({
      button: false,
      heard: null,
      answer: 'Home Assistant could not be reached.',
    });
    room.show({ button: false, phase: 'error' });
    expect(room.shown.at(-1)).toBe(null);
    attached.detach();
  });

  it('is shown in a browser that comes later, and goes with its part', async () => {
    const room = start();
    room.show({ assist: true });
    const first = room.attach();
    await until('it is shown', () => room.shown.length === 1);
    const second = room.attach();
    first.detach();
    await until('it is shown again', () => room.shown.length === 3);
    expect([second.hasAssist(), room.assistChanges()]).toEqual([true, 0]);
    room.driver.stop();
    await room.driver.settled();
    expect([room.shown.at(-1), second.hasAssist(), room.assistChanges()]).toEqual([null, false, 1]);
    expect(room.isFollowed()).toEqual({ light: false, words: false });
  });

  it('shows words while they are wanted and a turn lasts, at most 500 characters', async () => {
    const room = start();
    const attached = room.attach();
    room.show({ words: true });
    await until('it is shown', () => room.shown.length === 1);
    room.say({ turn: 1, heard: 'x'.repeat(501), answer: null });
    expect(room.shown.at(-1)?.heard).toBe(null);
    room.show({ words: true, phase: 'processing' });
    expect(room.shown.at(-1)).toMatchObject({ heard: 'x'.repeat(500), answer: null });
    room.show({ phase: 'processing' });
    expect([room.shown.at(-1)?.heard, room.isFollowed().words]).toEqual([null, false]);
    room.show({ words: true, phase: 'processing' });
    attached.detach();
    expect(room.isFollowed().words).toBe(false);
  });

  it('takes no touch that began before the screen was lit', async () => {
    const room = start();
    const attached = room.attach();
    room.show({ assist: true });
    await until('it is shown', () => room.shown.length === 1);
    room.light(false);
    room.touch('down');
    room.touch('up');
    room.touch('edge');
    attached.onAssist(null, true);
    room.pass(100);
    room.light(true);
    room.touch('down', 1050);
    room.touch('up', 1100);
    room.touch('edge', 1099);
    room.pass(499);
    attached.onAssist(null, true);
    expect(room.facts()).toBe('');
    room.touch('down', 1101);
    room.touch('up', 1102);
    room.touch('edge', 1103);
    room.pass(2);
    attached.onAssist('01jq', true);
    expect(room.facts()).toBe('pressed,released,dismissed,asked');
    expect(room.driver.facts.at(-1)).toEqual({ type: 'overlay.asked', pipelineId: '01jq', isTouched: true, at: 601 });
    attached.onAssist('01jq', false);
    expect(room.driver.facts.at(-1)).toMatchObject({ type: 'overlay.asked', isTouched: false });
    room.show();
    attached.onAssist('01jq', true);
    expect(room.facts()).toBe('pressed,released,dismissed,asked,asked');
  });
});

/** An overlay over a page that answers as told. */
function drawn(answers: () => unknown = () => true) {
  let listen: (event: DevToolsEvent) => void = () => {};
  const touches: string[] = [];
  const asked: string[] = [];
  let worlds = 0;
  let now = 0;
  const event = (method: string, params: object): void => listen({ method, params, session: 's' });
  const created = (name: string, frameId = 'main', isDefault = false): void => {
    worlds += 1;
    const auxData = { isDefault, frameId };
    event('Runtime.executionContextCreated', { context: { id: worlds, uniqueId: `u${worlds}`, name, auxData } });
  };
  const page: PageSession = {
    ...nowhere,
    call: (method, params) => {
      asked.push(method);
      if (method === 'Page.createIsolatedWorld' && params !== undefined) created('sconce-voice');
      return Promise.resolve(ok({}));
    },
    evaluate: (_, { context } = {}) => {
      asked.push(`evaluate ${context}`);
      return Promise.resolve(answers());
    },
    listen: (listener) => (listen = listener),
  };
  const overlay = openVoiceOverlay({
    page,
    origin: null,
    mainFrame: () => 'main',
    now: () => now,
    onTouch: (touch, at) => touches.push(`${touch} ${at}`),
  });
  const post = (payload: string, executionContextId = worlds, name = 'sconceVoicePost'): void =>
    event('Runtime.bindingCalled', { name, executionContextId, payload });
  return { overlay, touches, asked, event, created, post, pass: (ms: number) => (now += ms) };
}
const content: OverlayContent = { button: true, phase: 'idle', hue: 1, heard: null, answer: null };

describe('the world of the overlay', () => {
  it('is the only one that is listened to, in whole words', async () => {
    const { overlay, touches, asked, created, post } = drawn();
    overlay.show(content);
    await until('it is drawn', () => asked.at(-1) === 'evaluate u1');
    post('down 5', 2);
    post('down 5', 1, 'sconceBridge');
    for (const payload of [
      'down',
      'down -1',
      'down 5 ',
      'Down 5',
      'down 1e3',
      'other 5',
      `down ${'1'.repeat(16)}`,
      'up 5',
    ])
      post(payload, 1);
    expect(touches).toEqual([]);
    for (const [name, frame, isDefault] of [
      ['sconce-voice', 'inner', false],
      ['sconce-voice', 'main', true],
      ['other', 'main', false],
    ] as const) {
      created(name, frame, isDefault);
      post('down 5');
    }
    expect(touches).toEqual([]);
    for (const payload of ['down 5', 'up 9', 'edge 10']) post(payload, 1);
    expect(touches).toEqual(['down 5', 'up 9', 'edge 10']);
  });

  it('takes at most 20 touches a second, and each end of one', async () => {
    const { overlay, touches, asked, post, pass } = drawn();
    overlay.show(content);
    await until('it is drawn', () => asked.at(-1) === 'evaluate u1');
    for (let n = 0; n < 30; n += 1) {
      post('down 1');
      post('up 2');
    }
    expect(touches).toHaveLength(40);
    pass(1000);
    post('edge 3');
    expect(touches.at(-1)).toBe('edge 3');
  });

  it('ends a touch when its page goes, and is made again in the next', async () => {
    const { overlay, touches, asked, event, post } = drawn();
    overlay.show(content);
    await until('it is drawn', () => asked.at(-1) === 'evaluate u1');
    post('down 5');
    event('Runtime.executionContextsCleared', {});
    event('Page.frameNavigated', { frame: { id: 'inner', parentId: 'main' } });
    event('Page.frameNavigated', { frame: { id: 'main' } });
    await until('it is drawn again', () => asked.at(-1) === 'evaluate u2');
    expect(touches).toEqual(['down 5', 'up 0']);
    expect(asked.filter((one) => one === 'Runtime.addBinding')).toHaveLength(1);
    overlay.show(null);
    await until('it is unbound', () => asked.at(-1) === 'Runtime.removeBinding');
    const before = asked.length;
    event('Page.frameNavigated', { frame: { id: 'main' } });
    overlay.show(null);
    expect(asked).toHaveLength(before);
  });

  it('does not make it twice where the page gave no answer', async () => {
    let isThere = false;
    const { overlay, asked } = drawn(() => (isThere ? null : undefined));
    overlay.show(content);
    await until('it was told', () => asked.at(-1) === 'evaluate u1');
    expect(asked.filter((one) => one.startsWith('evaluate'))).toHaveLength(1);
    isThere = true;
    overlay.show({ ...content, phase: 'listening' });
    await until('it is made', () => asked.filter((one) => one.startsWith('evaluate')).length === 3);
    overlay.end();
  });
});
