import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { Place } from '#machines/approvals/events.ts';
import { CONFIRM_MS, UNCONFIRMED_MS } from '#machines/in-use/decide.ts';
import type {
  HolderFacts,
  HoldOutcome,
  InUseContext,
  InUseEvent,
  InUseHolder,
  MarkCommand,
  MarkFact,
  SurroundingsCommand,
  SurroundingsFact,
} from '#machines/in-use/events.ts';
import { inUseMachine } from '#machines/in-use/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const place = (now: Place): SurroundingsFact => ({ type: 'place.changed', place: now });
const screens = (lit: boolean): SurroundingsFact => ({ type: 'screens.changed', lit });
const led = (shown: boolean, failed = false): SurroundingsFact => ({
  type: 'led.changed',
  led: { shown, failed },
  at: 77,
});
const seen = (...of: readonly InUseHolder[]): MarkFact => ({ type: 'mark.confirmed', of, at: 50 });
const confirmed = seen('camera');
const unconfirmed: MarkFact = { type: 'mark.unconfirmed', at: 60 };
const hidden: MarkFact = { type: 'mark.hidden' };
const hold = (requestId = 'r', holder: InUseHolder = 'camera'): InUseEvent => ({
  type: 'in-use.hold',
  requestId,
  holder,
});
const release: InUseEvent = { type: 'in-use.release', holder: 'camera' };
const onScreen: readonly SurroundingsFact[] = [place({ kind: 'screen' }), screens(true)];

function run(...first: readonly SurroundingsFact[]) {
  const mark = fakeDriver<MarkCommand, MarkFact>();
  const surroundings = fakeDriver<SurroundingsCommand, SurroundingsFact>(...first);
  const clock = new SimulatedClock();
  const actor = createActor(inUseMachine.provide({ actors: { mark: mark.logic, surroundings: surroundings.logic } }), {
    clock,
  });
  const replies: (readonly [string, HoldOutcome])[] = [];
  actor.on('reply', ({ requestId, outcome }) => replies.push([requestId, outcome]));
  actor.start();
  return {
    tell: (...events: readonly InUseEvent[]): void => {
      for (const event of events) actor.send(event);
    },
    pass: (ms: number) => clock.increment(ms),
    replies,
    /** What the mark and the LED were told. */
    told: () => ({
      mark: mark.commands.map(({ type }) => type.replace('mark.', '')).join(' '),
      led: surroundings.commands.map(({ type }) => type.replace('led.', '')).join(' '),
    }),
    /** What the mark stood for each time that it was drawn. */
    drawn: () => mark.commands.flatMap((one) => (one.type === 'mark.show' ? [one.of.join('+')] : ['-'])),
    state: (holder: InUseHolder = 'camera'): unknown => {
      const { value } = actor.getSnapshot();
      return typeof value === 'object' ? value.shown?.[holder] : value;
    },
    output: () => actor.getSnapshot().output,
    /** The facts, with those of one holder. */
    facts: (holder: InUseHolder = 'camera'): InUseContext & HolderFacts => {
      const { context } = actor.getSnapshot();
      return { ...context, ...context.each[holder] };
    },
    crash: { mark: mark.crash, surroundings: surroundings.crash },
  };
}

describe('what shows the room that something is in use', () => {
  it('shows nothing while nothing is held', () => {
    const room = run(...onScreen, led(false));
    room.tell(screens(false), screens(true), confirmed);
    room.pass(60_000);
    expect(room.told()).toEqual({ mark: '', led: '' });
    expect(room.facts()).toMatchObject({ holders: [], shown: 'none', refusal: null });
  });

  it('answers once the mark is in a picture, and takes it away at the release', () => {
    const room = run(...onScreen);
    room.tell(hold());
    expect([room.state(), room.told().mark, room.replies]).toEqual([{ held: 'confirming' }, 'show', []]);
    expect(room.facts()).toMatchObject({ holders: ['camera'], shown: 'none', refusal: null, confirmedAt: null });
    room.tell(unconfirmed);
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(confirmed);
    expect(room.replies).toEqual([['r', { status: 'shown', by: 'overlay' }]]);
    expect(room.facts()).toMatchObject({ shown: 'overlay', confirmedAt: 50 });
    room.tell(release, hidden);
    expect([room.state(), room.told().mark]).toEqual(['unused', 'show hide']);
    expect(room.facts()).toMatchObject({ holders: [], shown: 'none', confirmedAt: null });
    expect(room.replies).toHaveLength(1);
  });

  it('refuses after 3 s without a picture, keeps the mark until the release, and tries once more when asked', () => {
    const room = run(...onScreen);
    room.tell(hold(), unconfirmed);
    room.pass(UNCONFIRMED_MS);
    expect(room.replies).toEqual([['r', { status: 'refused', reason: 'unconfirmed' }]]);
    expect(room.facts()).toMatchObject({ holders: ['camera'], shown: 'none', refusal: 'unconfirmed' });
    // Late: what was in use is about to end.
    room.tell(confirmed);
    expect([room.state(), room.told().mark]).toEqual([{ held: 'lost' }, 'show']);
    room.tell(hold('s'));
    expect(room.replies.at(-1)).toEqual(['s', { status: 'shown', by: 'overlay' }]);
    expect(room.facts().refusal).toBe(null);
  });

  it('takes a picture from before for none', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, release, hold('s'));
    expect(room.state()).toEqual({ held: 'confirming' });
    room.tell(hidden, confirmed);
    expect(room.replies.map(([id]) => id)).toEqual(['r', 's']);
  });

  it('is lost 3 s after a picture without it, unless it is back before', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, unconfirmed);
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: null });
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(confirmed);
    expect(room.facts().shown).toBe('overlay');
    room.tell(unconfirmed);
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(unconfirmed);
    room.pass(1);
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: 'unconfirmed' });
    expect(room.replies).toHaveLength(1);
  });

  it('is lost where the picture that is due does not come', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed);
    for (let n = 0; n < 5; n += 1) {
      room.pass(CONFIRM_MS + UNCONFIRMED_MS - 1);
      room.tell(confirmed);
    }
    expect(room.facts().shown).toBe('overlay');
    room.pass(CONFIRM_MS + UNCONFIRMED_MS);
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: 'unconfirmed' });
  });

  it.each<[string, readonly SurroundingsFact[], string]>([
    ['it is not known yet', [], 'starting'],
    ['the browser draws off-screen', [place({ kind: 'none', reason: 'headless' })], 'headless'],
    [
      'Firefox shows the dashboard',
      [place({ kind: 'none', reason: 'foreign-browser' }), led(false)],
      'foreign-browser',
    ],
    ['there is no renderer', [place({ kind: 'none', reason: 'no-renderer' })], 'no-renderer'],
    ['the panel is an Android one', [place({ kind: 'none', reason: 'android' })], 'android'],
    ['the screen is dark, and there is no LED', [place({ kind: 'screen' }), screens(false)], 'dark-without-led'],
  ])('refuses at once where %s', (_, first, reason) => {
    const room = run(...first);
    room.tell(hold());
    expect(room.replies).toEqual([['r', { status: 'refused', reason }]]);
    expect([room.facts().refusal, room.told()]).toEqual([reason, { mark: '', led: '' }]);
    room.tell(release);
    expect([room.state(), room.facts().refusal]).toEqual(['unused', null]);
  });

  it('is lost with the browser, at once', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, place({ kind: 'none', reason: 'starting' }));
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: 'starting' });
  });

  it('begins in the dark with the LED, which it releases', () => {
    const room = run(...onScreen, screens(false), led(false));
    room.tell(hold());
    expect(room.told()).toEqual({ mark: '', led: 'hold' });
    room.tell(led(true));
    expect(room.replies).toEqual([['r', { status: 'shown', by: 'led' }]]);
    expect(room.facts()).toMatchObject({ shown: 'led', confirmedAt: 77 });
    // No picture is due in the dark.
    room.pass(60_000);
    expect(room.facts().shown).toBe('led');
    room.tell(release);
    expect(room.told()).toEqual({ mark: '', led: 'hold release' });
  });

  it.each([
    ['refuses', true, 0],
    ['does not show it', false, UNCONFIRMED_MS],
  ])('refuses where the LED %s', (_, fails, ms) => {
    const room = run(...onScreen, screens(false), led(false));
    room.tell(hold(), led(false, fails));
    room.pass(ms);
    expect(room.replies).toEqual([['r', { status: 'refused', reason: 'led-failed' }]]);
  });

  it('is lost 3 s after the LED was changed from outside, unless it is read back again', () => {
    const room = run(...onScreen, screens(false), led(false));
    room.tell(hold(), led(true), led(false));
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(led(true));
    expect(room.facts().shown).toBe('led');
    room.tell(led(false));
    room.pass(UNCONFIRMED_MS);
    expect(room.facts().refusal).toBe('led-failed');
  });

  it('changes over when the screen goes dark and is lit again, each time before it lets go', () => {
    const room = run(...onScreen, led(false));
    room.tell(hold(), confirmed, screens(false));
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: null });
    expect(room.told()).toEqual({ mark: 'show', led: 'hold' });
    room.tell(led(true));
    expect(room.told()).toEqual({ mark: 'show hide', led: 'hold' });
    expect(room.facts().shown).toBe('led');
    room.tell(hidden);
    room.pass(60_000);
    room.tell(screens(true));
    expect(room.told()).toEqual({ mark: 'show hide show', led: 'hold' });
    expect(room.facts().shown).toBe('none');
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(confirmed);
    expect(room.told()).toEqual({ mark: 'show hide show', led: 'hold release' });
    expect(room.facts()).toMatchObject({ shown: 'overlay', refusal: null });
    expect(room.replies).toHaveLength(1);
  });

  it.each<[string, boolean, string]>([
    ['to the LED', false, 'led-failed'],
    ['to the mark', true, 'unconfirmed'],
  ])('is lost where a change over %s takes 3 s', (_, lit, reason) => {
    const room = run(...onScreen, screens(!lit), led(false));
    room.tell(hold(), lit ? led(true) : confirmed, screens(lit));
    room.pass(UNCONFIRMED_MS);
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: reason });
    room.tell(release);
    expect(room.told()).toEqual({ mark: 'show hide', led: 'hold release' });
  });

  it('is lost when the screen goes dark without an LED', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, screens(false));
    expect([room.facts().refusal, room.told()]).toEqual(['dark-without-led', { mark: 'show', led: '' }]);
  });

  it('waits for a turn that lights a dark screen, and refuses one that stays dark', () => {
    const room = run(place({ kind: 'screen' }), screens(false));
    room.tell(hold(), hold('m', 'microphone'));
    expect(room.replies).toEqual([['r', { status: 'refused', reason: 'dark-without-led' }]]);
    room.tell(release, screens(true), seen('microphone'));
    expect(room.replies.at(-1)).toEqual(['m', { status: 'shown', by: 'overlay' }]);
    const other = run(place({ kind: 'screen' }), screens(false));
    other.tell(hold('m', 'microphone'));
    other.pass(UNCONFIRMED_MS);
    expect(other.replies).toEqual([['m', { status: 'refused', reason: 'dark-without-led' }]]);
  });

  it('is drawn by the page of a simulated panel, which needs no picture', () => {
    const room = run(place({ kind: 'simulator' }), screens(true), led(false));
    room.tell(hold());
    expect(room.replies).toEqual([['r', { status: 'shown', by: 'overlay' }]]);
    room.pass(60_000);
    expect([room.facts().shown, room.told()]).toEqual(['overlay', { mark: '', led: '' }]);
    // A browser comes up beside the page.
    room.tell(place({ kind: 'screen' }));
    expect([room.facts().shown, room.told().mark]).toEqual(['none', 'show']);
    room.tell(confirmed);
    expect(room.facts().shown).toBe('overlay');
  });

  it('answers each request, also one that was released before', () => {
    const room = run(...onScreen);
    room.tell(hold('a'), hold('b'), confirmed, hold('c'));
    expect(room.replies.map(([id, { status }]) => `${id} ${status}`)).toEqual(['a shown', 'b shown', 'c shown']);
    room.tell(release, hold('d'), release);
    expect(room.replies.at(-1)).toEqual(['d', { status: 'refused', reason: 'unconfirmed' }]);
  });

  it('ends once it was asked to stop and nothing holds it', () => {
    const room = run(...onScreen);
    room.tell(hold(), hold('m', 'microphone'), { type: 'in-use.stop' }, release);
    expect(room.output()).toBe(undefined);
    room.tell({ type: 'in-use.release', holder: 'microphone' });
    expect([room.state(), room.output()]).toEqual(['stopped', { ended: 'stopped' }]);
    const idle = run(...onScreen);
    idle.tell({ type: 'in-use.stop' });
    expect(idle.state()).toBe('stopped');
  });

  it.each(['mark', 'surroundings'] as const)('fails as a whole when its driver of the %s crashes', (driver) => {
    const room = run(...onScreen);
    room.crash[driver]();
    expect(room.output()).toMatchObject({
      ended: 'failed',
      reason: driver === 'mark' ? 'mark-driver' : 'surroundings-follower',
    });
  });
});

const holdMicrophone = hold('m', 'microphone');
const releaseMicrophone: InUseEvent = { type: 'in-use.release', holder: 'microphone' };

describe('a mark of two', () => {
  it('is another one for each of them, and for both', () => {
    const room = run(...onScreen);
    room.tell(holdMicrophone, seen('microphone'), hold(), seen('camera', 'microphone'), releaseMicrophone);
    room.tell(holdMicrophone, release, releaseMicrophone);
    expect(room.drawn()).toEqual(['microphone', 'camera+microphone', 'camera', 'camera+microphone', 'microphone', '-']);
  });

  it('does not open the camera on the mark of the microphone', () => {
    const room = run(...onScreen);
    room.tell(holdMicrophone, seen('microphone'), hold(), seen('microphone'));
    expect(room.replies).toEqual([['m', { status: 'shown', by: 'overlay' }]]);
    expect([room.state(), room.facts('microphone').shown]).toEqual([{ held: 'confirming' }, 'overlay']);
    room.tell(seen('camera', 'microphone'));
    expect(room.replies.at(-1)).toEqual(['r', { status: 'shown', by: 'overlay' }]);
  });

  it('keeps the camera confirmed while the microphone comes and goes', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, holdMicrophone);
    expect([room.facts().shown, room.facts('microphone').shown]).toEqual(['overlay', 'none']);
    expect(room.replies).toHaveLength(1);
    // The square of the camera alone is not the microphone's.
    room.tell(confirmed);
    expect([room.facts().shown, room.facts('microphone').shown]).toEqual(['overlay', 'none']);
    room.tell(seen('camera', 'microphone'));
    expect(room.replies.at(-1)).toEqual(['m', { status: 'shown', by: 'overlay' }]);
    room.tell(releaseMicrophone);
    expect([room.facts().shown, room.facts().refusal]).toEqual(['overlay', null]);
    room.tell(seen('camera', 'microphone'));
    expect(room.facts().shown).toBe('overlay');
  });

  it('refuses the microphone alone, 3 s after a mark that is not its own', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed, holdMicrophone);
    room.pass(UNCONFIRMED_MS - 1);
    room.tell(confirmed);
    room.pass(1);
    expect(room.replies.at(-1)).toEqual(['m', { status: 'refused', reason: 'unconfirmed' }]);
    expect([room.facts().shown, room.facts('microphone').refusal]).toEqual(['overlay', 'unconfirmed']);
    room.tell(releaseMicrophone);
    expect([room.facts().shown, room.drawn().at(-1)]).toEqual(['overlay', 'camera']);
  });

  it('gives the camera no more time than without the microphone', () => {
    const room = run(...onScreen);
    room.tell(hold(), confirmed);
    room.pass(CONFIRM_MS);
    room.tell(holdMicrophone);
    room.pass(UNCONFIRMED_MS - 1);
    // A picture of the microphone's is none of the camera's.
    room.tell(holdMicrophone);
    room.pass(1);
    expect(room.facts()).toMatchObject({ shown: 'none', refusal: 'unconfirmed' });
    const other = run(...onScreen);
    other.tell(hold(), confirmed, holdMicrophone, seen('microphone'));
    expect(other.facts()).toMatchObject({ shown: 'none', refusal: null });
    for (let n = 0; n < 3; n += 1) {
      other.pass(UNCONFIRMED_MS / 3);
      other.tell(seen('microphone'));
    }
    expect([other.facts().refusal, other.facts('microphone').shown]).toEqual(['unconfirmed', 'overlay']);
  });

  it('is confirmed again after a release and another hold', () => {
    const room = run(...onScreen);
    room.tell(holdMicrophone, hold(), seen('camera', 'microphone'), releaseMicrophone, hold('n', 'microphone'));
    expect(room.replies.map(([id]) => id).toSorted()).toEqual(['m', 'r']);
    expect([room.facts().shown, room.facts('microphone').shown]).toEqual(['overlay', 'none']);
    room.tell(seen('camera', 'microphone'));
    expect(room.replies.at(-1)?.[0]).toBe('n');
  });

  it('is lost for both where no picture has it, or the screen goes dark', () => {
    for (const [event, ms, reason] of [
      [unconfirmed, UNCONFIRMED_MS, 'unconfirmed'],
      [screens(false), 0, 'dark-without-led'],
    ] as const) {
      const room = run(...onScreen);
      room.tell(hold(), holdMicrophone, seen('camera', 'microphone'), event);
      room.pass(ms);
      expect([room.facts().refusal, room.facts('microphone').refusal]).toEqual([reason, reason]);
    }
  });

  it('shares the LED, which stays until the mark of both is confirmed', () => {
    const room = run(...onScreen, screens(false), led(false));
    room.tell(hold(), led(true), holdMicrophone);
    expect(room.replies.map(([id, { status }]) => `${id} ${status}`)).toEqual(['r shown', 'm shown']);
    room.tell(screens(true), confirmed);
    expect(room.told().led).toBe('hold');
    room.tell(seen('camera', 'microphone'));
    expect(room.told().led).toBe('hold release');
    room.tell(release, releaseMicrophone);
    expect([room.state(), room.state('microphone')]).toEqual(['unused', 'unused']);
  });
});
