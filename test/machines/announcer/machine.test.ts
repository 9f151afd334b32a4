import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';
import { announcerMachine, HOLD_MS, PROBE_INTERVAL_MS } from '#machines/announcer/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const here: PlayerFact = { type: 'player.probed', players: ['mpv', 'ffplay'], sound: null };
const nobody: PlayerFact = { type: 'player.probed', players: [], sound: null };
const silent: PlayerFact = {
  type: 'player.probed',
  players: ['mpv'],
  sound: { state: 'not_here', reason: 'no-sound-card', detail: 'None.', missing: 'A sound card.', fix: null },
};

function start(first: PlayerFact | null = here) {
  const clock = new SimulatedClock();
  const player = fakeDriver<PlayerCommand, PlayerFact>(...(first === null ? [] : [first]));
  const actor = createActor(
    announcerMachine.provide({
      actors: { player: player.logic, duck: fakeDriver().logic },
    }),
    { clock },
  );
  actor.start();
  return { actor, clock, ...player, facts: () => actor.getSnapshot().context };
}

describe('the announcer', () => {
  it('says by what announcements are played', () => {
    expect(start().facts()).toMatchObject({ player: 'mpv', phase: 'idle', verdict: { state: 'working' } });
    expect(start(null).facts()).toMatchObject({ player: null, verdict: { state: 'checking' } });
  });

  it('goes from queued to idle with the facts of the player', () => {
    const { actor, commands, facts } = start();
    actor.send({ type: 'announcer.duck', percent: 20 });
    actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a', at: 5 });
    expect(facts()).toMatchObject({ phase: 'queued', generation: 1, startedAt: 5, reason: null });
    expect(commands).toEqual([{ type: 'player.play', generation: 1, url: 'http://192.0.2.1/a', duckPercent: 20 }]);
    actor.send({ type: 'player.downloading', generation: 1 });
    expect(facts().phase).toBe('downloading');
    actor.send({ type: 'player.playing', generation: 1 });
    expect(facts().phase).toBe('playing');
    actor.send({ type: 'player.finished', generation: 1 });
    expect(facts()).toMatchObject({ phase: 'idle', reason: null, generation: 1, startedAt: 5 });
  });

  it('plays its own test sound in place of an address', () => {
    const { actor, commands, facts } = start();
    actor.send({ type: 'announcement.test', at: 7 });
    expect(facts()).toMatchObject({ phase: 'queued', generation: 1, startedAt: 7 });
    expect(commands).toEqual([{ type: 'player.play', generation: 1, url: null, duckPercent: 30 }]);
  });

  it.each(['queued', 'downloading', 'playing'] as const)(
    'a newer one replaces one that is %s, whose facts are late',
    (phase) => {
      const { actor, commands, facts } = start();
      actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a', at: 5 });
      if (phase !== 'queued') actor.send({ type: 'player.downloading', generation: 1 });
      if (phase === 'playing') actor.send({ type: 'player.playing', generation: 1 });
      actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/b', at: 6 });
      expect(facts()).toMatchObject({ phase: 'queued', generation: 2, startedAt: 6 });
      for (const late of [
        { type: 'player.playing', generation: 1 },
        { type: 'player.refused', generation: 1, reason: 'empty' },
        { type: 'player.finished', generation: 1 },
      ] as const)
        actor.send(late);
      expect(facts()).toMatchObject({ phase: 'queued', reason: null });
      expect(commands.map((command) => command.type === 'player.play' && command.generation)).toEqual([1, 2]);
    },
  );

  it('keeps why the last one failed until the next', () => {
    const { actor, facts } = start();
    actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a', at: 5 });
    actor.send({ type: 'player.refused', generation: 1, reason: 'certificate-untrusted' });
    expect(facts()).toMatchObject({ phase: 'failed', reason: 'certificate-untrusted' });
    actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a', at: 6 });
    expect(facts()).toMatchObject({ phase: 'queued', reason: null });
  });

  it('keeps no address', () => {
    const { actor } = start();
    actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a?authSig=marker', at: 5 });
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('marker');
  });

  it.each([nobody, silent])('probes again where nothing can be heard: %o', (first) => {
    const { actor, clock, commands, facts } = start(first);
    expect(facts().verdict.state).not.toBe('working');
    clock.increment(PROBE_INTERVAL_MS - 1);
    expect(commands).toEqual([]);
    clock.increment(1);
    clock.increment(PROBE_INTERVAL_MS);
    expect(commands).toEqual([{ type: 'player.probe' }, { type: 'player.probe' }]);
    actor.send(here);
    expect(facts().verdict.state).toBe('working');
    clock.increment(PROBE_INTERVAL_MS * 3);
    expect(commands).toHaveLength(2);
    actor.send({ type: 'announcer.probe' });
    expect(commands).toHaveLength(3);
  });

  it('goes on announcing while it probes', () => {
    const { actor, clock, facts } = start(silent);
    actor.send({ type: 'announcement.play', url: 'http://192.0.2.1/a', at: 5 });
    actor.send({ type: 'player.downloading', generation: 1 });
    clock.increment(PROBE_INTERVAL_MS);
    actor.send(silent);
    expect(facts().phase).toBe('downloading');
  });

  it('fails when its player crashes', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'lane' },
    });
  });
});

describe('the answer of a turn', () => {
  const answer = { type: 'announcement.reply', turn: 7, url: 'http://192.0.2.1/answer', at: 9 } as const;
  const announcement = { type: 'announcement.play', url: 'http://192.0.2.1/a', at: 5 } as const;

  it('is played in the lane, and is no announcement', () => {
    const { actor, commands, facts } = start();
    const { phase, reason, generation, startedAt } = facts();
    actor.send(answer);
    expect(commands).toEqual([
      { type: 'player.play', generation: 1, url: answer.url, duckPercent: 30, isPrompt: true },
    ]);
    const phases = [facts().reply?.phase];
    for (const type of ['player.downloading', 'player.playing', 'player.finished'] as const) {
      actor.send({ type, generation: 1 });
      phases.push(facts().reply?.phase);
    }
    expect(phases).toEqual(['queued', 'downloading', 'playing', 'ended']);
    expect(facts()).toMatchObject({ phase, reason, generation, startedAt });
  });

  it('keeps why it failed, apart from the announcement before it', () => {
    const { actor, facts } = start();
    actor.send(announcement);
    actor.send({ type: 'player.finished', generation: 1 });
    actor.send(answer);
    actor.send({ type: 'player.refused', generation: 2, reason: 'source-gone' });
    expect(facts()).toMatchObject({
      phase: 'idle',
      reason: null,
      generation: 1,
      reply: { turn: 7, phase: 'failed', reason: 'source-gone' },
    });
  });

  it.each([announcement, { type: 'announcement.test', at: 5 } as const])('is replaced by $type', (event) => {
    const { actor, commands, facts } = start();
    actor.send(answer);
    actor.send({ type: 'player.playing', generation: 1 });
    actor.send(event);
    expect(facts()).toMatchObject({ phase: 'queued', generation: 1, reply: { turn: 7, phase: 'ended' } });
    actor.send({ type: 'player.finished', generation: 1 });
    expect(facts()).toMatchObject({ phase: 'queued', reply: { phase: 'ended' } });
    expect(commands.at(-1)).toMatchObject({ type: 'player.play', generation: 2 });
    actor.send({ type: 'player.playing', generation: 2 });
    expect(facts()).toMatchObject({ phase: 'playing', reply: { phase: 'ended' } });
  });

  it.each(['queued', 'downloading', 'playing'] as const)('ends at once while an announcement is %s', (phase) => {
    const { actor, commands, facts } = start();
    actor.send(announcement);
    if (phase !== 'queued') actor.send({ type: `player.${phase}`, generation: 1 });
    actor.send(answer);
    expect(facts()).toMatchObject({ phase, generation: 1, reply: { turn: 7, phase: 'ended', reason: null } });
    expect(commands).toHaveLength(1);
  });

  it('is replaced by the answer of the next turn', () => {
    const { actor, commands, facts } = start();
    actor.send(answer);
    actor.send({ ...answer, turn: 8 });
    actor.send({ type: 'player.playing', generation: 1 });
    expect(facts().reply).toEqual({ turn: 8, phase: 'queued', reason: null });
    actor.send({ type: 'player.playing', generation: 2 });
    expect(facts().reply?.phase).toBe('playing');
    expect(commands).toHaveLength(2);
  });

  it('is stopped for its own turn alone, and has ended once the player says so', () => {
    const { actor, commands, facts } = start();
    actor.send(answer);
    actor.send({ type: 'player.playing', generation: 1 });
    actor.send({ type: 'announcement.stop-reply', turn: 6 });
    expect(commands).toHaveLength(1);
    actor.send({ type: 'announcement.stop-reply', turn: 7 });
    expect(commands.at(-1)).toEqual({ type: 'player.stop', generation: 1 });
    expect(facts().reply?.phase).toBe('playing');
    actor.send({ type: 'player.finished', generation: 1 });
    expect(facts().reply?.phase).toBe('ended');
    actor.send({ type: 'announcement.stop-reply', turn: 7 });
    expect(commands).toHaveLength(2);
  });

  it('never stops an announcement', () => {
    const { actor, commands } = start();
    actor.send(answer);
    actor.send(announcement);
    actor.send({ type: 'announcement.stop-reply', turn: 7 });
    expect(commands.map(({ type }) => type)).toEqual(['player.play', 'player.play']);
  });

  it('keeps no address', () => {
    const { actor } = start();
    actor.send({ ...answer, url: 'http://192.0.2.1/marker.mp3' });
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('marker');
  });
});

describe('the other streams of a turn', () => {
  const release = { type: 'player.release-duck' };

  it('are held at the volume of the setting until they are released', () => {
    const { actor, clock, commands } = start();
    actor.send({ type: 'announcer.duck', percent: 20 });
    actor.send({ type: 'announcer.hold-duck' });
    expect(commands).toEqual([{ type: 'player.hold-duck', duckPercent: 20 }]);
    clock.increment(HOLD_MS - 1);
    actor.send({ type: 'announcer.release-duck' });
    clock.increment(HOLD_MS);
    expect(commands.slice(1)).toEqual([release]);
  });

  it('are released by themselves after 150 s without a word of voice', () => {
    const { actor, clock, commands } = start();
    actor.send({ type: 'announcer.hold-duck' });
    clock.increment(HOLD_MS - 1);
    actor.send({ type: 'announcer.hold-duck' });
    clock.increment(HOLD_MS - 1);
    actor.send({ type: 'announcement.reply', turn: 7, url: 'http://192.0.2.1/answer', at: 9 });
    clock.increment(HOLD_MS - 1);
    expect(commands.map(({ type }) => type)).toEqual(['player.hold-duck', 'player.hold-duck', 'player.play']);
    clock.increment(1);
    expect(commands.at(-1)).toEqual(release);
    clock.increment(HOLD_MS);
    expect(commands).toHaveLength(4);
  });
});
