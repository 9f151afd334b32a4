import { expect, it } from 'vitest';

import type { Surface } from '#machines/companion/events.ts';
import { type CompanionMemory, noMemory } from '#machines/companion/move.ts';
import { amount } from '#test/fakes/amount.ts';
import { known, type Rig, start } from './rig.ts';

/** What outlasts a kill: the disk, the broker, and Home Assistant. */
interface World {
  memory: CompanionMemory;
  setting: Surface;
  /** True while the discovery is retained at the broker. */
  announced: boolean;
  /** Whether Home Assistant has the integration's entities. */
  shown: boolean;
  /** The move for which Home Assistant keeps the owner's choices. */
  kept: Surface | null;
}

const worldOn = (surface: Surface): World => ({
  memory: { ...noMemory, surface },
  setting: surface,
  announced: surface === 'mqtt',
  shown: surface === 'native',
  kept: null,
});

const answers = { prepare: 'prepared', release: 'released', apply: 'applied' } as const;

/** What the machine has begun, each as an effect in the world and the answer to it. */
function begun(rig: Rig, world: World, counted: { withdrawals: number; commits: number }) {
  const works: [() => void, () => void | Promise<void>][] = [];
  for (const command of rig.toKeys())
    if (command.type === 'memory.keep')
      works.push([
        () => void (world.memory = command.memory),
        () => (command.isAwaited ? rig.hear({ type: 'memory.kept', failure: null }) : undefined),
      ]);
  for (const command of rig.toSessions())
    if (command.type === 'sessions.move')
      works.push([
        () => {
          if (command.step === 'prepare') world.kept = command.to;
          if (command.step === 'release') world.shown = false;
          if (command.step === 'apply' || command.step === 'abandon') world.kept = null;
        },
        () => {
          const { to, step, session } = command;
          const list = { entities: 1, automations: [], scripts: [] };
          if (step !== 'abandon') rig.hear({ type: 'session.moved', session, to, step: answers[step], list });
        },
      ]);
  for (; counted.withdrawals < rig.withdrawal.inputs.length; counted.withdrawals += 1)
    works.push([() => void (world.announced = false), () => rig.withdrawal.end({ status: 'withdrawn', entities: 1 })]);
  for (; counted.commits < rig.commit.inputs.length; counted.commits += 1) {
    const to = rig.commit.inputs[counted.commits]?.to ?? 'mqtt';
    works.push([
      () => void (world.setting = to),
      async () => {
        rig.surface(to);
        await rig.commit.end(null);
      },
    ]);
  }
  return works;
}

/** Runs until nothing is left to do, or is killed after that many effects and answers; then nothing is answered. */
async function run(rig: Rig, world: World, steps: number): Promise<void> {
  const counted = { withdrawals: 0, commits: 0 };
  let left = steps;
  for (;;) {
    const works = begun(rig, world, counted);
    if (works.length === 0) return;
    for (const [effect, answer] of works) {
      if ((left -= 1) < 0) return;
      effect();
      if ((left -= 1) < 0) return;
      // oxlint-disable-next-line no-await-in-loop -- one after another, as they were begun
      await answer();
    }
  }
}

function boot(world: World): Rig {
  const rig = start();
  rig.named();
  rig.memory(world.memory);
  rig.surface(world.setting);
  rig.paired(known(1));
  rig.open(1);
  return rig;
}

/** What follows from the surface that is in force once nothing is under way. */
function rest(rig: Rig, world: World): void {
  const { surface } = rig.facts();
  if (surface === 'mqtt') world.announced = true;
  if (surface === 'native') world.shown = true;
}

it.each(Array.from({ length: amount(20, 200) }, (_, seed) => seed))(
  'a move that is killed at a step leaves one surface, whole (seed %i)',
  async (seed) => {
    const [from, to]: readonly [Surface, Surface] = seed % 2 === 0 ? ['mqtt', 'native'] : ['native', 'mqtt'];
    const world = worldOn(from);
    const killed = boot(world);
    await run(killed, world, Infinity);
    killed.hear({ type: 'companion.move', requestId: 'a', to, dryRun: false, leave: false });
    await run(killed, world, (seed >> 1) % 20);
    killed.actor.stop();
    // The next one is killed too, at another step.
    const again = boot(world);
    await run(again, world, (seed * 7) % 11);
    again.actor.stop();

    const rig = boot(world);
    await run(rig, world, Infinity);
    rest(rig, world);
    const { surface, wanted, moving } = rig.facts();
    expect([surface, moving, world.memory.moving]).toEqual([wanted, null, null]);
    // What was kept for a move that was not made is replaced by the next one.
    if (surface === to) expect(world.kept).toBeNull();
    expect([world.announced, world.shown]).toEqual(surface === 'mqtt' ? [true, false] : [false, true]);
    rig.actor.stop();
  },
);
