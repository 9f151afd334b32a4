import { describe, expect, it } from 'vitest';

import { navigationOutcomes } from '#machines/renderer/events.ts';
import { answerOf, type Navigation } from '#machines/renderer/navigation.ts';
import { TAP_BOUND_MS } from '#machines/renderer/tap.ts';
import { FREEZE_DELAY_MS } from '#machines/renderer/delays.ts';
import { desired, signedIn, start } from './start.ts';

const needed = { phase: 'needed', method: null, revision: 1 } as const;
const origin = 'home-assistant';

/** A panel that is not signed in, whose browser shows the offline page. */
function unsigned() {
  const started = start();
  started.send({ type: 'credential.changed', credential: needed });
  started.ready();
  started.settle('shown', { path: '/glass' });
  return started;
}

describe('a command while no dashboard is shown', () => {
  it.each(['renderer.home', 'renderer.reload'] as const)('%s is refused before the sign-in, and says so', (type) => {
    const { send, facts, commands } = unsigned();
    expect(facts().phase).toBe('waiting');
    const before = commands.length;
    const seen = facts();
    send({ type, origin });
    expect(facts().lastNavigation).toMatchObject({
      outcome: 'refused',
      refusal: 'not-shown',
      origin,
      message: expect.stringContaining('No dashboard is shown yet: sign in first.'),
    });
    expect(commands).toHaveLength(before);
    expect(answerOf(seen, facts())).toMatchObject({ ok: false, reason: 'not-here' });
  });

  it.each([
    ['an address', { origin: null }, signedIn, '/configure'],
    ['a sign-in that holds', {}, { phase: 'refused', method: 'oauth', revision: 2 }, 'Sign in again'],
  ] as const)('says that %s is missing', (_, page, credential, words) => {
    const { send, ready, settle, facts } = start(page);
    send({ type: 'credential.changed', credential });
    ready();
    settle('shown', { path: '/glass' });
    send({ type: 'renderer.reload', origin });
    expect(facts().lastNavigation?.message).toContain(words);
  });

  it('keeps a page for the time after the sign-in, says so, and shows it then', () => {
    const { send, facts, last } = unsigned();
    const seen = facts();
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin });
    expect(facts().lastNavigation).toMatchObject({
      outcome: 'kept',
      refusal: null,
      origin,
      message: 'Kept: it is shown once the panel is signed in to Home Assistant.',
    });
    expect(answerOf(seen, facts())).toEqual({ ok: true, message: facts().lastNavigation?.message });
    send({ type: 'credential.changed', credential: { ...signedIn, revision: 2 } });
    expect(last('page.load')).toMatchObject({ path: '/lovelace/door' });
  });

  it('keeps a page that was asked for before there was an address, and not one of another address', () => {
    const { send, ready, pass, last, facts } = start({ origin: null });
    ready();
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin });
    expect(facts().lastNavigation?.message).toContain('the address of Home Assistant is set');
    send({ type: 'page.desired', desired });
    pass(300);
    ready();
    expect(last('page.load')).toMatchObject({ path: '/lovelace/door' });
    send({ type: 'renderer.navigate', path: '/lovelace/stairs', origin });
    send({ type: 'page.desired', desired: { ...desired, origin: 'http://new.test:8123' } });
    pass(300);
    ready();
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('refuses a path that leads elsewhere for its own reason', () => {
    const { send, facts } = unsigned();
    const seen = facts();
    send({ type: 'renderer.navigate', path: 'http://evil.example/', origin });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'refused', refusal: 'bad-path' });
    expect(answerOf(seen, facts())).toMatchObject({ ok: false, reason: 'bad-value' });
  });

  it('goes home once Home Assistant is back, but cannot load anew what is away', () => {
    const { ready, settle, send, facts, seen, last } = start();
    ready();
    settle('shown');
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin });
    settle('unreachable');
    settle('unreachable');
    expect(facts()).toMatchObject({ phase: 'waiting', unreachable: { reason: 'unreachable' } });
    send({ type: 'renderer.reload', origin });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'refused', refusal: 'not-shown' });
    send({ type: 'renderer.home', origin });
    expect(facts().lastNavigation).toMatchObject({ outcome: 'kept', message: expect.stringContaining('again') });
    seen(true);
    expect(last('page.load')).toMatchObject({ path: '/lovelace/hall' });
  });

  it('keeps what comes while the dashboard is brought back, and refuses a reload, which that is', () => {
    const { show, ended, send, facts } = start();
    show();
    ended('killed');
    send({ type: 'renderer.navigate', path: '/lovelace/door', origin });
    expect(facts()).toMatchObject({ goal: '/lovelace/door', lastNavigation: { outcome: 'kept' } });
    send({ type: 'renderer.reload', origin });
    expect(facts().lastNavigation).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('being brought back'),
    });
  });

  it('takes everything as it did where a dashboard is shown', () => {
    const { show, send, facts, last, settle } = start();
    show();
    for (const event of [
      { type: 'renderer.navigate', path: '/lovelace/door', origin },
      { type: 'renderer.home', origin },
      { type: 'renderer.reload', origin },
    ] as const) {
      const seen = facts();
      send(event);
      expect(answerOf(seen, facts())).toEqual({ ok: true, message: null });
      settle('shown');
    }
    expect(last('page.load')).toBeDefined();
  });
});

describe('answerOf', () => {
  const navigation = (outcome: Navigation['outcome']): Navigation => ({
    outcome,
    refusal: outcome === 'refused' ? 'not-shown' : null,
    message: 'Said.',
    origin,
    tookMs: 0,
    at: 1,
  });
  it.each(navigationOutcomes)('tells a caller of %s what is its own', (outcome) => {
    const after = { lastNavigation: navigation(outcome) };
    const answer = answerOf({ lastNavigation: null }, after);
    expect(answer.ok).toBe(outcome !== 'refused');
    expect(answer.message).toBe(outcome === 'refused' || outcome === 'kept' ? 'Said.' : null);
    // An outcome that was already there belongs to an earlier request.
    expect(answerOf(after, after)).toEqual({ ok: true, message: null });
  });
});

describe('a tap', () => {
  const point = { x: 10, y: 20, capture: true };
  it('goes to the page that is shown, the offline page too, and its answer comes back', () => {
    for (const started of [
      unsigned(),
      (() => {
        const one = start();
        one.show();
        return one;
      })(),
    ]) {
      started.send({ type: 'renderer.tap', requestId: 'a', ...point });
      expect(started.last('page.tap')).toEqual({ type: 'page.tap', requestId: 'a', ...point });
      const outcome = { ok: true, png: new Uint8Array([1]) } as const;
      started.send({ type: 'page.tapped', requestId: 'a', outcome });
      expect(started.replies).toEqual([{ type: 'reply', requestId: 'a', outcome }]);
    }
  });

  it('is answered where nothing is shown', () => {
    const none = start({ mode: 'none' });
    const starting = start();
    const resting = start();
    resting.show();
    resting.ended('killed');
    for (const { send, replies, last } of [none, starting, resting]) {
      send({ type: 'renderer.tap', requestId: 'a', ...point });
      expect(replies).toEqual([{ type: 'reply', requestId: 'a', outcome: { ok: false, reason: 'not-shown' } }]);
      expect(last('page.tap')).toBeUndefined();
    }
  });

  it('thaws a page that is frozen in the dark, and leaves it time before it is frozen again', () => {
    const { show, send, pass, facts, commands, last } = start();
    show();
    send({ type: 'screen.changed', dark: true });
    pass(FREEZE_DELAY_MS);
    expect(facts().frozen).toBe(true);
    send({ type: 'renderer.tap', requestId: 'a', ...point });
    expect(commands.slice(-2).map(({ type }) => type)).toEqual(['page.freeze', 'page.tap']);
    expect(last('page.freeze')).toMatchObject({ frozen: false });
    expect(facts()).toMatchObject({ frozen: false, dark: true });
    pass(FREEZE_DELAY_MS - 100);
    send({ type: 'renderer.tap', requestId: 'b', ...point });
    for (const requestId of ['a', 'b']) send({ type: 'page.tapped', requestId, outcome: { ok: true, png: null } });
    pass(FREEZE_DELAY_MS - 100);
    expect(last('page.freeze')).toMatchObject({ frozen: false });
    pass(100);
    expect(last('page.freeze')).toMatchObject({ frozen: true });
    expect(facts()).toMatchObject({ frozen: true, dark: true });
  });

  it.each(['before the screen went dark', 'in the dark'])(
    'that was asked for %s is waited for, and counts from its answer',
    (when) => {
      const { show, send, pass, facts } = start();
      show();
      const ask = () => send({ type: 'renderer.tap', requestId: 'a', ...point });
      if (when !== 'in the dark') ask();
      send({ type: 'screen.changed', dark: true });
      if (when === 'in the dark') ask();
      // Another one is answered before it.
      send({ type: 'renderer.tap', requestId: 'b', ...point });
      send({ type: 'page.tapped', requestId: 'b', outcome: { ok: false, reason: 'busy' } });
      pass(3 * FREEZE_DELAY_MS);
      expect(facts().frozen).toBe(false);
      send({ type: 'page.tapped', requestId: 'a', outcome: { ok: true, png: null } });
      pass(FREEZE_DELAY_MS - 100);
      expect(facts().frozen).toBe(false);
      pass(100);
      expect(facts().frozen).toBe(true);
    },
  );

  it('that is never answered keeps the page from being frozen no longer than it is asked for', () => {
    const { show, send, pass, facts, replies } = start();
    show();
    send({ type: 'screen.changed', dark: true });
    send({ type: 'renderer.tap', requestId: 'a', ...point });
    pass(TAP_BOUND_MS - 100);
    expect(facts().frozen).toBe(false);
    pass(100);
    expect(facts().frozen).toBe(true);
    send({ type: 'page.tapped', requestId: 'a', outcome: { ok: true, png: null } });
    expect(replies).toHaveLength(1);
    // And the next dark moment is as short as ever.
    send({ type: 'screen.changed', dark: false });
    send({ type: 'screen.changed', dark: true });
    pass(FREEZE_DELAY_MS);
    expect(facts().frozen).toBe(true);
  });

  it('is not waited for once its browser has ended', () => {
    const { show, send, pass, ended, facts } = start();
    show();
    send({ type: 'renderer.tap', requestId: 'a', ...point });
    ended('killed');
    pass(1000);
    show();
    send({ type: 'screen.changed', dark: true });
    pass(FREEZE_DELAY_MS);
    expect(facts().frozen).toBe(true);
  });
});
