import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';
import { announcerMachine, PROBE_INTERVAL_MS } from '#machines/announcer/machine.ts';
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
