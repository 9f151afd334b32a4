import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { TOOL_BOUND_MS } from '#drivers/kit/run-tool.ts';
import { percentToWrite, published } from '#machines/volume/decide.ts';
import type { VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';
import { ANSWER_BOUND_MS, MOST_TOOL_CALLS, PROBE_INTERVAL_MS, volumeMachine } from '#machines/volume/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const missing: VolumeFact = {
  type: 'mixer.missing',
  verdict: { state: 'not_here', reason: 'no-sound-card', detail: 'None.', missing: 'a sound card', fix: null },
};

function start(first: VolumeFact = { type: 'mixer.found', route: 'pactl', percent: 130, muted: false }) {
  const clock = new SimulatedClock();
  const mixer = fakeDriver<VolumeDriverCommand, VolumeFact>(first);
  const actor = createActor(
    volumeMachine.provide({
      actors: { mixer: mixer.logic, limits: fakeDriver().logic },
    }),
    { clock },
  );
  actor.start();
  return { actor, clock, ...mixer, facts: () => actor.getSnapshot().context };
}

describe('percentToWrite', () => {
  it.each([
    [50, 100, 50],
    [90, 60, 60],
    [130, 100, 100],
    [-5, 100, 0],
    [33.6, 100, 34],
    [Number.NaN, 100, 0],
  ])('%d with limit %d is %d', (asked, limit, expected) => expect(percentToWrite(asked, limit)).toBe(expected));
});

it('publishes more than 100 as 100', () =>
  expect(published({ percent: 130, muted: true })).toEqual({ percent: 100, muted: true }));

describe('the volume', () => {
  it('reads at start and writes nothing', () => {
    const { commands, facts } = start();
    expect(facts()).toMatchObject({ route: 'pactl', percent: 100, muted: false, verdict: { state: 'working' } });
    expect(commands).toEqual([]);
  });

  it('writes one request at a time, the newest wins, never above the limit', () => {
    const { actor, commands, facts } = start();
    actor.send({ type: 'volume.limits', limitPercent: 60 });
    for (const percent of [10, 20, 90]) actor.send({ type: 'volume.set', percent, origin: 'http' });
    expect(commands).toEqual([{ type: 'mixer.write', generation: 1, percent: 10 }]);
    actor.send({ type: 'mixer.written', generation: 1, percent: 10, muted: false });
    expect(commands.at(-1)).toEqual({ type: 'mixer.write', generation: 2, percent: 60 });
    actor.send({ type: 'mixer.written', generation: 2, percent: 59, muted: false });
    expect(facts()).toMatchObject({ percent: 59, fault: null });
    expect(actor.getSnapshot().matches({ ready: 'idle' })).toBe(true);
  });

  it('notices changes made elsewhere', () => {
    const { actor, facts } = start();
    actor.send({ type: 'mixer.observed', percent: 12, muted: true });
    expect(facts()).toMatchObject({ percent: 12, muted: true });
  });

  it('says so when no answer comes, and takes the late one as a fact', () => {
    const { actor, clock, facts } = start();
    actor.send({ type: 'volume.set', percent: 10, origin: 'http' });
    clock.increment(ANSWER_BOUND_MS);
    expect(facts().fault).toBe('no-answer');
    actor.send({ type: 'mixer.written', generation: 1, percent: 10, muted: false });
    expect(facts()).toMatchObject({ percent: 10, fault: null });
  });

  it('takes a late answer and a change made elsewhere as facts while it writes, and goes on waiting', () => {
    const { actor, clock, facts } = start();
    actor.send({ type: 'volume.set', percent: 10, origin: 'http' });
    actor.send({ type: 'volume.set', percent: 20, origin: 'http' });
    clock.increment(ANSWER_BOUND_MS);
    actor.send({ type: 'mixer.written', generation: 1, percent: 10, muted: false });
    expect(facts()).toMatchObject({ percent: 10, fault: 'no-answer' });
    actor.send({ type: 'mixer.observed', percent: 10, muted: true });
    expect(facts().muted).toBe(true);
    expect(actor.getSnapshot().matches({ ready: 'writing' })).toBe(true);
    actor.send({ type: 'mixer.written', generation: 2, percent: 20, muted: false });
    expect(facts()).toMatchObject({ percent: 20, muted: false, fault: null });
  });

  it('waits for as long as all calls of a tool may take', () =>
    expect(ANSWER_BOUND_MS).toBeGreaterThan(MOST_TOOL_CALLS * TOOL_BOUND_MS));

  it('adds quick steps up, from what is being written, inside the limit', () => {
    const { actor, commands, facts } = start({ type: 'mixer.found', route: 'pactl', percent: 50, muted: false });
    for (const by of [5, 5, 5]) actor.send({ type: 'volume.step', by, origin: 'http' });
    actor.send({ type: 'mixer.written', generation: 1, percent: 55, muted: false });
    expect(commands).toMatchObject([{ percent: 55 }, { percent: 65 }]);
    actor.send({ type: 'mixer.written', generation: 2, percent: 65, muted: false });
    actor.send({ type: 'volume.limits', limitPercent: 60 });
    actor.send({ type: 'volume.step', by: -5, origin: 'http' });
    expect(commands.at(-1)).toMatchObject({ percent: 55 });
    actor.send({ type: 'volume.step', by: 500, origin: 'http' });
    actor.send({ type: 'volume.step', by: -5, origin: 'http' });
    actor.send({ type: 'mixer.written', generation: 3, percent: 55, muted: false });
    expect(commands.at(-1)).toMatchObject({ percent: 55 });
    expect(facts().fault).toBeNull();
  });

  it('refuses a step where there is no sound', () => {
    const { actor, commands, facts } = start(missing);
    actor.send({ type: 'volume.step', by: 5, origin: 'http' });
    expect(facts().fault).toBe('no-sound');
    expect(commands).toEqual([]);
  });

  it('keeps a refusal as its fault', () => {
    const { actor, facts } = start();
    actor.send({ type: 'volume.set', percent: 10, origin: 'http' });
    actor.send({ type: 'mixer.refused', generation: 1, reason: 'failed' });
    expect(facts()).toMatchObject({ fault: 'failed', percent: 100 });
  });

  it('probes every ten seconds while there is no sound', () => {
    const { actor, clock, commands, facts } = start(missing);
    actor.send({ type: 'volume.set', percent: 10, origin: 'http' });
    expect(facts()).toMatchObject({ fault: 'no-sound', verdict: { reason: 'no-sound-card' } });
    clock.increment(PROBE_INTERVAL_MS);
    expect(commands).toEqual([{ type: 'mixer.probe' }]);
    actor.send({ type: 'mixer.found', route: 'wpctl', percent: 5, muted: false });
    actor.send({ type: 'mixer.lost', reason: 'failed' });
    expect(facts()).toMatchObject({ route: null, percent: null, muted: null, verdict: { reason: 'sound-lost' } });
    expect(commands).toHaveLength(2);
  });

  it('ends as failed when its driver crashes', () => {
    const { actor, crash } = start();
    crash();
    expect(actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'mixer-driver' });
  });
});
