import { describe, expect, it } from 'vitest';

import type { AssistFact } from '#machines/voice/events.ts';
import { needs, type Rig, start, startLive, watch } from './rig.ts';

const begin = (turn: number) =>
  ({ type: 'home-assistant.begin-turn', turn, pipelineId: 'p', deviceId: 'd', conversationId: null }) as const;
const cancel = (turn: number) => ({ type: 'home-assistant.cancel-turn', turn }) as const;
const fact = (turn: number, type: 'assist.started' | 'assist.ended', at = 5): AssistFact => ({ type, turn, at });
const failed = (turn: number, code: string, at = 5): AssistFact => ({ type: 'assist.failed', turn, code, at });
const says = (said: AssistFact, generation = 1) => ({ type: 'socket.turn', generation, fact: said }) as const;
/** What became of turns, and what is left of the emitted. */
const told = (rig: Rig): readonly unknown[] =>
  rig.emitted.splice(0).map((event) => (event as { readonly fact?: unknown }).fact ?? event);

/** With a live connection, and a turn that was given to it. */
function carrying(turn = 1) {
  const rig = startLive();
  rig.commanded();
  rig.hear(begin(turn));
  return rig;
}

describe('a turn', () => {
  it('is given to the connection, and what it reports is emitted', () => {
    const rig = carrying();
    expect(rig.commanded()).toEqual([{ ...begin(1), type: 'socket.begin-turn' }]);
    rig.hear(says(fact(1, 'assist.started')), says(fact(1, 'assist.ended')));
    expect(told(rig)).toEqual([fact(1, 'assist.started'), fact(1, 'assist.ended')]);
  });

  it('may fail after its end, and is not failed by what happens later', () => {
    const rig = carrying();
    rig.hear(says(fact(1, 'assist.ended')), says(failed(1, 'timeout')));
    expect(told(rig)).toEqual([fact(1, 'assist.ended'), failed(1, 'timeout')]);
    rig.end('closed');
    expect(told(rig)).toEqual([]);
  });

  it('replaces another one, of which nothing more is emitted', () => {
    const rig = carrying();
    rig.hear(begin(2));
    expect(rig.commanded().map((command) => 'turn' in command && command.turn)).toEqual([1, 2]);
    rig.hear(says(fact(1, 'assist.ended')), says(fact(2, 'assist.started')));
    expect(told(rig)).toEqual([fact(2, 'assist.started')]);
    rig.end('closed');
    expect(told(rig)).toEqual([failed(2, 'unavailable', expect.any(Number))]);
  });

  it('is cancelled by its own number alone, and says nothing more', () => {
    const rig = carrying(2);
    rig.commanded();
    rig.hear(cancel(1));
    expect(rig.commanded()).toEqual([]);
    rig.hear(cancel(2), says(fact(2, 'assist.ended')));
    expect(rig.commanded()).toEqual([{ type: 'socket.cancel-turn', turn: 2 }]);
    rig.hear(cancel(2));
    rig.end('closed');
    expect([rig.commanded(), told(rig)]).toEqual([[], []]);
  });

  it('of an earlier connection reports nothing over the next one', () => {
    const rig = carrying();
    rig.end('closed');
    rig.clock.increment(1000);
    rig.live();
    rig.hear(begin(1));
    told(rig);
    rig.hear(says(fact(1, 'assist.ended'), 1), says(fact(1, 'assist.started'), 2));
    expect(told(rig)).toEqual([fact(1, 'assist.started')]);
  });

  it.each<[string, (rig: Rig) => void]>([
    ['its connection ends', (rig) => rig.end('closed')],
    ['Home Assistant is silent', (rig) => [rig.probe(null), rig.probe(null)]],
    [
      'Home Assistant sends too much',
      (rig) => rig.hear({ type: 'socket.overrun', generation: 1, code: 'message-flood', at: 5, moment: 9 }),
    ],
    ['nothing needs the connection any more', (rig) => rig.hear(needs({ lifecycle: false }))],
    ['another account signs in', (rig) => rig.hear(needs({ revision: 2 }))],
    ['the driver fails', (rig) => rig.crash()],
  ])('is unavailable once, as soon as %s', (_, lose) => {
    const rig = carrying();
    lose(rig);
    expect(told(rig)).toEqual([failed(1, 'unavailable', expect.any(Number))]);
  });

  it.each<[string, (rig: Rig) => void, string]>([
    ['nobody is signed in', () => {}, 'signed-out'],
    ['nothing holds a connection', (rig) => rig.hear(needs({ lifecycle: false })), 'unavailable'],
    ['the connection is being made', (rig) => rig.hear(needs()), 'unavailable'],
    [
      'the next attempt is waited for',
      (rig) => {
        rig.hear(needs());
        rig.end('ECONNREFUSED');
      },
      'unavailable',
    ],
    [
      'Home Assistant is left alone',
      (rig) => {
        rig.hear(needs());
        rig.hear({ type: 'socket.overrun', generation: 1, code: 'message-flood', at: 5, moment: 9 });
      },
      'unavailable',
    ],
    [
      'the sign-in was refused',
      (rig) => {
        rig.hear(needs());
        rig.end('auth-invalid');
        rig.clock.increment(10_000);
        rig.end('auth-invalid');
      },
      'signed-out',
    ],
  ])('fails at once while %s, and is not given to a later connection', (_, lead, code) => {
    const rig = start();
    lead(rig);
    rig.hear(begin(1), cancel(1));
    expect(told(rig)).toEqual([failed(1, code, expect.any(Number))]);
    rig.hear(needs({ revision: 3 }));
    rig.live();
    expect(rig.commanded().filter(({ type }) => type === 'socket.begin-turn')).toEqual([]);
  });
});

describe('the pipelines', () => {
  it('hold a connection, and are read again when the same watcher asks again', () => {
    const rig = start();
    rig.hear(needs({ lifecycle: false }), watch('voice', { kind: 'pipelines' }, { kind: 'devices' }));
    rig.live();
    expect(rig.facts().reasons).toEqual(['registry']);
    rig.commanded();
    rig.hear(watch('voice', { kind: 'pipelines' }, { kind: 'devices' }));
    expect(rig.commanded().at(-1)).toEqual({
      type: 'socket.renew',
      topics: [{ kind: 'pipelines' }, { kind: 'devices' }],
    });
  });
});
