import { describe, expect, it } from 'vitest';
import { createActor, type EventObject, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { listeningVerdict } from '#drivers/input/verdicts.ts';
import type { InputDriverCommand, ObservedDisplay, WakeCommand } from '#machines/input/events.ts';
import { GRAB_BOUND_MS } from '#machines/input/grab.ts';
import { inputMachine } from '#machines/input/machine.ts';

function start() {
  const lit: (readonly string[])[] = [];
  const commands: string[] = [];
  const crashes: Record<string, () => void> = {};
  const part = <T extends EventObject>(id: string, take: (event: T) => void) =>
    fromDriver<T, undefined, never>(({ onEvent, guard }) => {
      crashes[id] = guard(() => {
        throw new Error('broken');
      });
      onEvent(take);
    });
  const clock = new SimulatedClock();
  const actor = createActor(
    inputMachine.provide({
      actors: {
        devices: part<InputDriverCommand>(
          'devices',
          (command) => void commands.push(command.type === 'input.grab' ? `grab ${command.on}` : command.type),
        ),
        screens: part('screens', () => {}),
        wake: part<WakeCommand>('wake', ({ displays }) => void lit.push(displays)),
      },
    }),
    { clock },
  ).start();
  const see = (id: string, display: Partial<ObservedDisplay>) =>
    actor.send({ type: 'screen.observed', id, display: { lit: null, wanted: null, changed: null, ...display } });
  return {
    actor,
    clock,
    lit,
    commands,
    see,
    crash: (id: string) => crashes[id]?.(),
    facts: () => actor.getSnapshot().context,
  };
}

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

  it('show what is listened to, and scan again when asked', () => {
    const { actor, commands, facts } = start();
    const counts = { touch: 1, key: 0, pointer: 0 };
    actor.send({ type: 'input.devices', counts, verdict: listeningVerdict(counts) });
    expect(facts()).toMatchObject({ counts, verdict: { state: 'working' } });
    actor.send({ type: 'input.probe' });
    expect(commands).toEqual(['input.scan']);
  });

  it('are counted as keyboards where they have all letters, and as none once they are gone', () => {
    const { actor, facts } = start();
    const counts = { touch: 1, key: 2, pointer: 0 };
    const verdict = listeningVerdict(counts);
    actor.send({ type: 'input.devices', counts, verdict, letterKeys: [26, 4] });
    expect(facts().keyboards).toEqual({ connected: 1, onScreen: false });
    actor.send({ type: 'input.on-screen-keyboard', runs: true });
    actor.send({ type: 'input.devices', counts, verdict });
    expect(facts().keyboards).toEqual({ connected: 0, onScreen: true });
  });

  it('keep touches from the page from the request for the dark to the light', () => {
    const { actor, commands, see, facts } = start();
    see('screen', { lit: true });
    see('screen', { lit: true, wanted: false });
    see('screen', { lit: false });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 });
    see('screen', { lit: false, wanted: true });
    expect(facts().grabs).toBe(true);
    see('screen', { lit: true, changed: { by: 'touch', at: 1006 } });
    expect(facts().grabs).toBe(false);
    expect(commands).toEqual(['grab false', 'grab true', 'grab true', 'grab true', 'grab false']);
  });

  it('reach the page again when the light does not come', () => {
    const { actor, clock, lit, commands, see, facts } = start();
    see('screen', { lit: false });
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 });
    clock.increment(GRAB_BOUND_MS - 1);
    // A further touch does not prolong the wait.
    actor.send({ type: 'input.touched', kind: 'touch', at: 1000 + GRAB_BOUND_MS - 1 });
    expect(facts().grabs).toBe(true);
    clock.increment(1);
    expect(commands.at(-1)).toBe('grab false');
    actor.send({ type: 'input.touched', kind: 'touch', at: 20_000 });
    expect(lit).toHaveLength(3);
    see('screen', { lit: true });
    see('screen', { lit: false });
    expect(commands.at(-1)).toBe('grab true');
  });

  it('reach the page again at once when the screen stayed dark, and when nothing is known of it', () => {
    const { commands, see } = start();
    see('screen', { lit: false });
    see('screen', { lit: false, wanted: true });
    see('screen', { lit: false });
    expect(commands.at(-1)).toBe('grab false');
    see('screen', { lit: false, wanted: false });
    expect(commands.at(-1)).toBe('grab true');
    see('screen', { lit: null });
    expect(commands.at(-1)).toBe('grab false');
  });

  it('show what is held and why not', () => {
    const { actor, facts } = start();
    actor.send({ type: 'input.grabbed', held: 0, refused: 'busy' });
    expect(facts().grab).toEqual({ held: 0, refused: 'busy' });
  });

  it('tell a long press only after everything has been read', () => {
    const { actor, clock, commands, facts } = start();
    const button = { type: 'input.button', name: 'left', longMs: 800, doubleMs: 400 } as const;
    const events = (): readonly string[] => facts().buttons.occurrences.map(({ event }) => event);
    actor.send({ ...button, down: true, at: 1000 });
    clock.increment(799);
    expect(commands).toEqual([]);
    clock.increment(1);
    expect(commands).toEqual(['input.settle']);
    expect(events()).toEqual(['press']);
    actor.send({ type: 'input.settled', at: 1801 });
    expect(events()).toEqual(['press', 'long_press']);
    actor.send({ ...button, down: false, at: 1900 });
    expect(events()).toEqual(['press', 'long_press', 'release']);
    actor.send({ ...button, down: true, at: 3000 });
    actor.send({ ...button, down: false, at: 3100 });
    clock.increment(5000);
    expect(commands).toEqual(['input.settle']);
  });

  it.each([
    ['devices', 'input-driver'],
    ['screens', 'screen-follower'],
    ['wake', 'wake'],
  ])('end as failed when the part %s crashes', (id, reason) => {
    const { actor, crash } = start();
    crash(id);
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason } });
  });
});
