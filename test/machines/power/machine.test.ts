import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { working } from '#machines/kit/verdict.ts';
import type { PowerDriverCommand, PowerFact } from '#machines/power/events.ts';
import { ONE_REBOOT_MS, ONE_SIMULATED_REBOOT_MS, PROBE_INTERVAL_MS, powerMachine } from '#machines/power/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const route: PowerFact = { type: 'reboot.route', route: 'logind', verdict: working('reboot-allowed', 'It may.') };
const none: PowerFact = { ...route, route: null };

const typesOf = (commands: readonly PowerDriverCommand[]): readonly string[] => commands.map(({ type }) => type);

function start(first: PowerFact = route) {
  const clock = new SimulatedClock();
  const machine = fakeDriver<PowerDriverCommand, PowerFact>(first);
  const actor = createActor(
    powerMachine.provide({
      actors: { machine: machine.logic },
    }),
    { clock },
  );
  actor.start();
  return { actor, clock, ...machine, facts: () => actor.getSnapshot().context };
}

describe('rebooting', () => {
  it('is not tried at start', () => {
    const { commands, facts } = start();
    expect(typesOf(commands)).toEqual([]);
    expect(facts()).toMatchObject({ route: 'logind', lastReboot: null });
  });

  it('asked twice within a minute is one; after that it is another', () => {
    const { actor, clock, commands, facts } = start();
    actor.send({ type: 'power.reboot', origin: 'http' });
    actor.send({ type: 'reboot.asked', at: 4 });
    expect(facts().lastReboot).toEqual({ origin: 'http', at: 4, outcome: 'asked' });
    actor.send({ type: 'reboot.begun', at: 5 });
    clock.increment(ONE_REBOOT_MS - 1);
    actor.send({ type: 'power.reboot', origin: 'home-assistant' });
    expect(typesOf(commands)).toEqual(['reboot.do']);
    expect(facts().lastReboot).toEqual({ origin: 'http', at: 5, outcome: 'begun' });
    clock.increment(1);
    actor.send({ type: 'power.reboot', origin: 'home-assistant' });
    expect(typesOf(commands)).toEqual(['reboot.do', 'reboot.do']);
  });

  it('refused, it finds out why', () => {
    const { actor, commands, facts } = start();
    actor.send({ type: 'power.reboot', origin: 'http' });
    actor.send({ type: 'reboot.refused', reason: 'failed', at: 6 });
    expect(facts().lastReboot?.outcome).toBe('refused');
    expect(typesOf(commands)).toEqual(['reboot.do', 'reboot.probe']);
  });

  it('is not lost while a probe is under way', () => {
    const { actor, commands } = start();
    actor.send({ type: 'power.probe' });
    actor.send({ type: 'power.reboot', origin: 'http' });
    expect(typesOf(commands)).toEqual(['reboot.probe', 'reboot.do']);
    actor.send(route);
    expect(actor.getSnapshot().value).toBe('rebooting');
  });

  it('believes a probe that finds the route gone', () => {
    const { actor, facts } = start();
    actor.send({ type: 'power.probe' });
    actor.send(none);
    expect(actor.getSnapshot().value).toBe('unavailable');
    expect(facts().route).toBeNull();
  });

  it('says that one is under way, for five seconds on the simulated panel', () => {
    const { actor, clock, facts } = start({ ...route, route: 'simulated' });
    expect(facts().busy).toBe(false);
    actor.send({ type: 'power.reboot', origin: 'http' });
    expect(facts().busy).toBe(true);
    clock.increment(ONE_SIMULATED_REBOOT_MS - 1);
    expect(facts().busy).toBe(true);
    clock.increment(1);
    expect(facts().busy).toBe(false);
    const refused = start();
    refused.actor.send({ type: 'power.reboot', origin: 'http' });
    refused.actor.send({ type: 'reboot.refused', reason: 'failed', at: 6 });
    expect(refused.facts().busy).toBe(false);
  });

  it('does nothing where there is no route, and probes again', () => {
    const { actor, clock, commands } = start(none);
    actor.send({ type: 'power.reboot', origin: 'http' });
    expect(typesOf(commands)).toEqual([]);
    clock.increment(PROBE_INTERVAL_MS);
    actor.send({ type: 'power.probe' });
    expect(typesOf(commands)).toEqual(['reboot.probe', 'reboot.probe']);
    actor.send(route);
    expect(actor.getSnapshot().value).toBe('ready');
  });

  it('ends as failed when its driver crashes', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'power-driver' });
  });
});
