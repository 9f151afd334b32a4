import { describe, expect, it } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { listeningVerdict } from '#drivers/input/verdicts.ts';
import type { InputDriverCommand, SeenDisplay, WakeCommand } from '#machines/input/events.ts';
import { inputMachine } from '#machines/input/machine.ts';

const start = () => {
  const lit: (readonly string[])[] = [];
  const looks: string[] = [];
  const crashes: Record<string, () => void> = {};
  const part = <T extends EventObject>(id: string, take: (event: T) => void) =>
    fromDriver<T, undefined, EventObject>(({ onEvent, guard }) => {
      crashes[id] = guard(() => {
        throw new Error('broken');
      });
      onEvent(take);
    });
  const actor = createActor(
    inputMachine.provide({
      actors: {
        devices: part<InputDriverCommand>('devices', ({ type }) => void looks.push(type)),
        screens: part('screens', () => {}),
        wake: part<WakeCommand>('wake', ({ displays }) => void lit.push(displays)),
      },
    }),
  ).start();
  const see = (id: string, display: Partial<SeenDisplay>) => actor.send({ type: 'screen.seen', id, display: { lit: null, wanted: null, changed: null, ...display } });
  return { actor, lit, looks, see, crash: (id: string) => crashes[id]?.(), facts: () => actor.getSnapshot().context };
};

describe('touch and keys', () => {
  it('light a dark screen, and say how long it took', () => {
    const { actor, lit, see, facts } = start();
    see('screen', { lit: false });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 });
    expect(lit).toEqual([['screen']]);
    see('screen', { lit: false, wanted: true });
    see('screen', { lit: true, changed: { by: 'touch', at: 1006 } });
    expect(facts()).toMatchObject({ wakes: 1, lastWakeMs: 6, wokenAt: null, last: { kind: 'touch', at: 1000 } });
  });

  it('leave a lit screen alone', () => {
    const { actor, lit, see, facts } = start();
    see('screen', { lit: true });
    actor.send({ type: 'input.touched', kind: 'key', at: 1000 });
    expect(lit).toEqual([]);
    expect(facts()).toMatchObject({ wakes: 0, lastWakeMs: -1, last: { kind: 'key', at: 1000 } });
  });

  it('ask once while the screen is being lit, and again when that failed', () => {
    const { actor, lit, see } = start();
    see('screen', { lit: false });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 });
    see('screen', { lit: false, wanted: true });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1100 });
    expect(lit).toHaveLength(1);
    see('screen', { lit: false, wanted: null });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1200 });
    expect(lit).toHaveLength(2);
  });

  it('do not count light that somebody else made', () => {
    const { actor, see, facts } = start();
    see('screen', { lit: false });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 });
    see('screen', { lit: true, changed: { by: 'home-assistant', at: 1003 } });
    expect(facts()).toMatchObject({ wakes: 0, lastWakeMs: -1, wokenAt: null });
  });

  it('show what is listened to, and look again when asked', () => {
    const { actor, looks, facts } = start();
    const counts = { touch: 1, key: 0, pointer: 0 };
    actor.send({ type: 'input.devices', counts, verdict: listeningVerdict(counts) });
    expect(facts()).toMatchObject({ counts, verdict: { state: 'working' } });
    actor.send({ type: 'input.probe' });
    expect(looks).toEqual(['input.look']);
  });

  it.each([
    ['devices', 'input-driver-crashed'],
    ['screens', 'screen-follower-crashed'],
    ['wake', 'wake-crashed'],
  ])('end as failed when the part %s crashes', (id, reason) => {
    const { actor, crash } = start();
    crash(id);
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason } });
  });

  it('end when asked to', () => {
    const { actor } = start();
    actor.send({ type: 'input.stop' });
    expect(actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });
});
