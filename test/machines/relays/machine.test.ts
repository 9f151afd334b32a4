import { describe, expect, it } from 'vitest';
import { createActor, fromTransition } from 'xstate';

import { working } from '#machines/kit/verdict.ts';
import { type RelayStart, stateToWrite } from '#machines/relays/decide.ts';
import type { RelayEvent, RelayRestore } from '#machines/relays/events.ts';
import { type RelayInput, relayMachine } from '#machines/relays/machine.ts';

describe('the state that is written to a relay that was found', () => {
  const start: RelayStart = { wanted: null, restore: 'keep', recalled: null, again: false };
  it.each<[string, Partial<RelayStart>, boolean | null | 'wait']>([
    ['nothing is known', {}, null],
    ['kept closed', { recalled: true }, true],
    ['kept open', { recalled: false }, false],
    ['the memory has not answered', { recalled: 'pending' }, 'wait'],
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

describe('the machine of a relay', () => {
  const run = (input: Partial<RelayInput> = {}) => {
    const written: boolean[] = [];
    const kept: boolean[] = [];
    const notes = (into: boolean[]) =>
      fromTransition((state: null, event: { type: string; closed?: boolean }) => {
        if (event.closed !== undefined) into.push(event.closed);
        return state;
      }, null);
    // The stand-ins take the commands of the drivers whose places they hold.
    const actors = { contact: notes(written), memory: notes(kept) } as never;
    const actor = createActor(relayMachine.provide({ actors }), {
      input: { again: false, looking: false, ...input },
    }).start();
    const tell = (...events: RelayEvent[]): void => {
      for (const event of events) actor.send(event);
    };
    return { written, kept, tell, facts: () => actor.getSnapshot().context, state: () => actor.getSnapshot().value };
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
  const seen = (closed: boolean): RelayEvent => ({ type: 'relay.seen', closed });
  const set = (closed: boolean): RelayEvent => ({ type: 'relay.set', closed, origin: 'test' });
  const recalled = (closed: boolean | null): RelayEvent => ({ type: 'relay.recalled', closed });

  it('waits for its memory before it keeps or writes anything', () => {
    const relay = run();
    relay.tell(found(), seen(false));
    expect([relay.written, relay.kept]).toEqual([[], []]);
    relay.tell(recalled(true), seen(true));
    expect([relay.written, relay.kept, relay.facts().closed]).toEqual([[true], [], true]);
  });

  it('lets the owner’s wish stand against a memory that answers late', () => {
    const relay = run();
    relay.tell(found(), set(false), recalled(true), seen(false));
    expect([relay.written, relay.kept]).toEqual([[false], [false]]);
  });

  it('does what the profile says once, and then what was asked for last', () => {
    const relay = run();
    relay.tell(recalled(true), found('off'), seen(false), set(true), seen(true), lost, found('off'), seen(true));
    expect([relay.written, relay.kept]).toEqual([
      [false, true, true],
      [false, true],
    ]);
  });

  it('follows somebody else’s hand, also over a loss', () => {
    const relay = run();
    relay.tell(recalled(null), found('on'), seen(true), seen(false), lost, found('on'));
    expect(relay.written).toEqual([true, false]);
  });

  it('refuses what is asked of a lost relay', () => {
    const relay = run();
    relay.tell(recalled(null), found(), lost, set(true), found(), seen(false));
    expect([relay.written, relay.facts().fault, relay.facts().closed]).toEqual([[], 'gone', false]);
  });

  it('tells why a write was refused until one is done', () => {
    const relay = run();
    relay.tell(recalled(null), found(), set(true), { type: 'relay.refused', code: 'EIO' }, seen(false));
    expect(relay.facts()).toMatchObject({ fault: 'EIO', closed: false, wanted: null });
    relay.tell(set(true), seen(true));
    expect(relay.facts()).toMatchObject({ fault: null, closed: true, wanted: true });
  });

  it('writes and keeps nothing where the agent only looks', () => {
    const relay = run({ looking: true });
    relay.tell(recalled(true), found('on'), seen(false), seen(true));
    expect([relay.written, relay.kept, relay.facts().closed]).toEqual([[], [], true]);
  });

  it('is unknown while it is away', () => {
    const relay = run();
    relay.tell(recalled(null), found(), seen(true), lost);
    expect(relay.facts()).toMatchObject({ here: false, closed: null, verdict: { state: 'not_here' } });
    expect(relay.state()).toBe('away');
  });
});
