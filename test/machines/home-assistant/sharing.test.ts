import { describe, expect, it } from 'vitest';

import type { Reading } from '#machines/home-assistant/events.ts';

import { needs, type Rig, start, startLive } from './rig.ts';

const ask = (requestId: string) =>
  ({ type: 'home-assistant.read', requestId, topic: { kind: 'light-sensors' } }) as const;
const areas = (requestId: string) => ({ type: 'home-assistant.read', requestId, topic: { kind: 'areas' } }) as const;
const found = (name: string): Reading => ({
  kind: 'light-sensors',
  sensors: [{ entityId: 'sensor.hall', name, unit: 'lx', lux: 7, updatedAt: null }],
});
const reply = (requestId: string, reading: Reading | null) => ({
  type: 'reply',
  requestId,
  outcome: reading === null ? { ok: false, reason: 'no-answer' } : { ok: true, reading },
});

/** The ids of the reads that the connection was asked for. */
const asked = (rig: Rig): readonly string[] =>
  rig.commanded().flatMap((command) => (command.type === 'socket.read' ? [command.requestId] : []));
function answer(rig: Rig, requestId: string, reading: Reading | null): void {
  rig.hear({ type: 'socket.answered', generation: rig.attempts.at(-1)?.generation ?? 0, requestId, reading });
}

describe('the answer about light sensors', () => {
  it('serves all that ask while it is under way, however many, and nothing else waits for them', () => {
    const rig = startLive();
    rig.commanded();
    const many = Array.from({ length: 1000 }, (_, at) => `ask-${at}`);
    rig.hear(...many.map(ask));
    expect(asked(rig)).toEqual(['ask-0']);
    // Of the sixteen, they take the room of one.
    rig.hear(...Array.from({ length: 16 }, (_, at) => areas(`areas-${at}`)));
    expect(asked(rig)).toHaveLength(15);
    expect(rig.emitted.splice(0)).toEqual([
      { type: 'reply', requestId: 'areas-15', outcome: { ok: false, reason: 'busy' } },
    ]);
    answer(rig, 'ask-0', found('Hall'));
    expect(rig.emitted).toEqual(many.map((id) => reply(id, found('Hall'))));
    expect(rig.facts().requests).toHaveLength(15);
  });

  it('is refused to more than 1,024 at a time, and where 16 others wait', () => {
    const rig = startLive();
    rig.hear(...Array.from({ length: 1025 }, (_, at) => ask(`ask-${at}`)));
    expect(rig.emitted).toEqual([{ type: 'reply', requestId: 'ask-1024', outcome: { ok: false, reason: 'busy' } }]);
    const other = startLive();
    other.hear(...Array.from({ length: 16 }, (_, at) => areas(`areas-${at}`)), ask('a'));
    expect(other.emitted).toEqual([{ type: 'reply', requestId: 'a', outcome: { ok: false, reason: 'busy' } }]);
  });

  it('serves all that ask within 30 s, also while no connection is held: two are enough for a minute', () => {
    const rig = start();
    rig.hear(needs({ lifecycle: false }));
    let reads = 0;
    for (let second = 0; second < 60; second += 1) {
      rig.hear(ask(`ask-${second}`));
      if (rig.phase() === 'connecting') {
        rig.live();
        reads += asked(rig).length;
        answer(rig, `ask-${second}`, found(`at ${second}`));
      }
      expect([second, rig.phase()]).toEqual([second, 'closed']);
      rig.clock.increment(1000);
    }
    expect([reads, rig.attempts.length]).toEqual([2, 2]);
    expect(rig.emitted).toEqual(
      Array.from({ length: 60 }, (_, second) => reply(`ask-${second}`, found(second < 30 ? 'at 0' : 'at 30'))),
    );
  });

  it('is not kept a moment longer, and nothing waits for its end once it is gone', () => {
    const rig = startLive();
    rig.hear(ask('a'));
    answer(rig, 'a', found('Hall'));
    rig.clock.increment(29_999);
    expect(rig.facts().shared).not.toBeNull();
    rig.clock.increment(1);
    expect(rig.facts().shared).toBeNull();
  });

  it('that did not come is no reason to ask again at once', () => {
    const rig = startLive();
    rig.hear(ask('a'));
    answer(rig, 'a', null);
    rig.commanded();
    rig.hear(ask('b'));
    expect([asked(rig), rig.emitted]).toEqual([[], [reply('a', null), reply('b', null)]]);
    rig.clock.increment(30_000);
    rig.hear(ask('c'));
    expect(asked(rig)).toEqual(['c']);
  });

  it('is requested once by a connection that was opened for many', () => {
    const rig = start();
    rig.hear(needs({ lifecycle: false }), ask('a'), ask('b'), areas('c'));
    rig.live();
    expect(asked(rig)).toEqual(['a', 'c']);
    rig.end('closed');
    expect(rig.emitted.map((event) => JSON.stringify(event).includes('unreachable'))).toEqual([true, true, true]);
  });

  it('still serves while the panel backs off', () => {
    const rig = startLive();
    rig.hear(ask('a'));
    answer(rig, 'a', found('Hall'));
    rig.hear({ type: 'socket.overrun', generation: 1, code: 'message-flood', at: 0, moment: 0 }, ask('b'), areas('c'));
    expect(rig.emitted.slice(1)).toEqual([
      reply('b', found('Hall')),
      { type: 'reply', requestId: 'c', outcome: { ok: false, reason: 'unreachable' } },
    ]);
  });

  it.each<[string, (rig: Rig) => void]>([
    ['another credential', (rig) => rig.hear(needs({ revision: 2 }))],
    ['another address', (rig) => rig.hear({ type: 'excess.recalled', excess: null })],
  ])('is not given to %s', (_, change) => {
    const rig = startLive();
    rig.hear(ask('a'));
    answer(rig, 'a', found('Hall'));
    change(rig);
    if (rig.phase() !== 'live') rig.live();
    rig.commanded();
    rig.hear(ask('b'));
    expect(asked(rig)).toEqual(['b']);
    expect(rig.emitted).toEqual([reply('a', found('Hall'))]);
  });

  it('of an earlier account that comes late is dropped', () => {
    const rig = startLive();
    rig.hear(ask('a'), needs({ revision: 2 }));
    rig.live();
    rig.hear({ type: 'socket.answered', generation: 1, requestId: 'a', reading: found('Hall') });
    expect(rig.facts().shared).toBeNull();
    rig.commanded();
    rig.hear(ask('b'));
    expect(asked(rig)).toEqual(['b']);
  });

  it('is refused without a credential', () => {
    const rig = startLive();
    rig.hear(ask('a'));
    answer(rig, 'a', found('Hall'));
    rig.hear(needs({ credential: false }), ask('b'));
    expect(rig.emitted.at(-1)).toEqual({
      type: 'reply',
      requestId: 'b',
      outcome: { ok: false, reason: 'signed-out' },
    });
  });
});

describe('the answer about the panel’s area', () => {
  const area = (requestId: string) =>
    ({
      type: 'home-assistant.read',
      requestId,
      topic: { kind: 'area-presence', identifier: 'sconce_hall' },
    }) as const;
  const hall: Reading = {
    kind: 'area-presence',
    isKnown: true,
    area: { id: 'hall', name: 'Hall' },
    sensors: [],
    total: 0,
  };

  it('serves all that ask while it is under way, beside that about light sensors, and nothing later', () => {
    const rig = startLive();
    rig.commanded();
    rig.hear(area('a'), ask('b'), area('c'));
    expect(asked(rig)).toEqual(['a', 'b']);
    answer(rig, 'a', hall);
    expect(rig.emitted.splice(0)).toEqual([reply('a', hall), reply('c', hall)]);
    rig.hear(area('d'));
    expect(asked(rig)).toEqual(['d']);
  });
});
