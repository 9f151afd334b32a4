import { describe, expect, it } from 'vitest';
import { createActor, fromTransition, SimulatedClock } from 'xstate';

import { working } from '#machines/kit/verdict.ts';
import { type RelayStart, stateToWrite } from '#machines/relays/decide.ts';
import type { RelayEvent, RelayRestore } from '#machines/relays/events.ts';
import { ANSWER_BOUND_MS, type RelayInput, relayMachine } from '#machines/relays/machine.ts';

describe('the state that is written to a relay that was found', () => {
  const start: RelayStart = { wanted: null, restore: 'keep', recalled: null, again: false };
  it.each<[string, Partial<RelayStart>, boolean | null | 'wait']>([
    ['nothing is known', {}, null],
    ['kept closed', { recalled: true }, true],
    ['kept open', { recalled: false }, false],
    ['the store has not answered', { recalled: 'pending' }, 'wait'],
    ['on, whatever was kept', { restore: 'on', recalled: false }, true],
    ['on, without waiting', { restore: 'on', recalled: 'pending' }, true],
    ['off', { restore: 'off', recalled: true }, false],
    ['only a part starts anew', { restore: 'off', recalled: true, again: true }, true],
    ['and its memory has not answered', { restore: 'off', recalled: 'pending', again: true }, 'wait'],
    ['what was asked for since', { restore: 'off', recalled: false, wanted: true }, true],
  ])('%s', (_, over, expected) => {
    expect(stateToWrite({ ...start, ...over })).toBe(expected);
  });
});

/** Stands for the generation of the newest command. */
const NEWEST = -1;

describe('the machine of a relay', () => {
  const run = (input: Partial<RelayInput> = {}) => {
    const written: boolean[] = [];
    const kept: boolean[] = [];
    const clock = new SimulatedClock();
    const notes = (into: boolean[]) =>
      fromTransition((state: null, event: { type: string; closed?: boolean }) => {
        if (event.closed !== undefined) into.push(event.closed);
        return state;
      }, null);
    // The stand-ins take the commands of the drivers whose places they hold.
    const actors = { relay: notes(written), store: notes(kept) } as never;
    const actor = createActor(relayMachine.provide({ actors }), {
      input: { again: false, readOnly: false, ...input },
      clock,
    }).start();
    const tell = (...events: (RelayEvent | readonly RelayEvent[])[]): void => {
      for (const event of events.flat()) {
        // An answer is one to the newest command where it does not say otherwise.
        const isNewest = 'generation' in event && event.generation === NEWEST;
        actor.send(isNewest ? { ...event, generation: actor.getSnapshot().context.generation } : event);
      }
    };
    return {
      written,
      kept,
      tell,
      pass: (ms: number) => clock.increment(ms),
      facts: () => actor.getSnapshot().context,
      state: () => actor.getSnapshot().value,
    };
  };
  const verdict = working('here', 'Here.');
  const found = (restore: RelayRestore = 'keep'): RelayEvent => ({
    type: 'relay.found',
    found: true,
    verdict,
    restore,
  });
  const lost: RelayEvent = {
    type: 'relay.found',
    found: false,
    verdict: { ...verdict, state: 'not_here' },
    restore: 'keep',
  };
  const seen = (closed: boolean): RelayEvent => ({ type: 'relay.observed', closed });
  /** What the driver reports once a command is carried out. */
  const done = (closed: boolean): readonly RelayEvent[] => [
    seen(closed),
    { type: 'relay.written', generation: NEWEST },
  ];
  const refused = (code: string): RelayEvent => ({ type: 'relay.refused', generation: NEWEST, code });
  const set = (closed: boolean): RelayEvent => ({ type: 'relay.set', closed, origin: 'test' });
  const recalled = (closed: boolean | null): RelayEvent => ({ type: 'relay.recalled', closed });

  it('waits for its memory before it keeps or writes anything', () => {
    const relay = run();
    relay.tell(found(), seen(false));
    expect([relay.written, relay.kept]).toEqual([[], []]);
    relay.tell(recalled(true), done(true));
    expect([relay.written, relay.kept, relay.facts().closed]).toEqual([[true], [], true]);
  });

  it('lets what was asked for stand against a memory that answers late', () => {
    const relay = run();
    relay.tell(found(), set(false), recalled(true), done(false));
    expect([relay.written, relay.kept]).toEqual([[false], [false]]);
  });

  it('does what the profile says once, and then what was asked for last', () => {
    const relay = run();
    relay.tell(recalled(true), found('off'), done(false), set(true), done(true), lost, found('off'), done(true));
    expect([relay.written, relay.kept]).toEqual([
      [false, true, true],
      [false, true],
    ]);
  });

  it('follows somebody else’s hand, also over a loss', () => {
    const relay = run();
    relay.tell(recalled(null), found('on'), done(true), seen(false), lost, found('on'));
    expect(relay.written).toEqual([true, false]);
  });

  it('refuses what is asked of a lost relay', () => {
    const relay = run();
    relay.tell(recalled(null), found(), lost, set(true), found(), seen(false));
    expect([relay.written, relay.facts().fault, relay.facts().closed]).toEqual([[], 'gone', false]);
  });

  it('shows why a write was refused until one is done', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), refused('EIO'), seen(false));
    expect(relay.facts()).toMatchObject({ fault: 'EIO', closed: false, wanted: null });
    relay.tell(set(true), done(true));
    expect(relay.facts()).toMatchObject({ fault: null, closed: true, wanted: true });
  });

  it('writes and keeps nothing where the agent is read-only', () => {
    const relay = run({ readOnly: true });
    relay.tell(recalled(true), found('on'), seen(false), seen(true));
    expect([relay.written, relay.kept, relay.facts().closed]).toEqual([[], [], true]);
  });

  it('is unknown while it is away', () => {
    const relay = run();
    relay.tell(recalled(null), found(), seen(true), lost);
    expect(relay.facts()).toMatchObject({ closed: null, verdict: { state: 'not_here' } });
    expect(relay.state()).toBe('away');
  });

  it('switches one at a time, and the newest command wins', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), set(false), set(true), set(false));
    expect(relay.written).toEqual([true]);
    relay.tell(done(true));
    expect(relay.written).toEqual([true, false]);
    expect(relay.facts()).toMatchObject({ closed: true, wanted: false });
    relay.tell(done(false));
    expect([relay.written, relay.facts().closed, relay.facts().fault]).toEqual([[true, false], false, null]);
  });

  it('tries what was asked for since, when a command is refused', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), set(false), refused('EIO'));
    expect(relay.written).toEqual([true, false]);
    expect(relay.facts()).toMatchObject({ wanted: false, fault: null });
  });

  it('waits for an answer only so long, goes on, and takes the late one', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), set(false));
    relay.pass(ANSWER_BOUND_MS);
    expect([relay.written, relay.facts().fault]).toEqual([[true, false], 'no-answer']);
    relay.tell({ type: 'relay.written', generation: 1 });
    expect(relay.state()).toEqual({ here: 'writing' });
    relay.pass(ANSWER_BOUND_MS);
    expect(relay.state()).toEqual({ here: 'idle' });
    relay.tell(done(false));
    expect(relay.facts()).toMatchObject({ closed: false, wanted: false, fault: null });
  });

  it('switches a relay again that was lost before it answered', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), lost, found(), done(true));
    expect([relay.written, relay.facts().closed]).toEqual([[true, true], true]);
  });
});
