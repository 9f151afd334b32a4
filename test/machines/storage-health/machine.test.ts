import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { rows } from '#machines/storage-health/entities.ts';
import type { StorageDriverCommand, StorageHealthEvent } from '#machines/storage-health/events.ts';
import { storageHealthMachine } from '#machines/storage-health/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const MINUTE = 60_000;

function start() {
  const clock = new SimulatedClock();
  const disk = fakeDriver<StorageDriverCommand>();
  const actor = createActor(
    storageHealthMachine.provide({
      actors: { disk: disk.logic, writes: fakeDriver<StorageHealthEvent>().logic },
    }),
    { clock },
  ).start();
  const pass = (minutes: number): void => {
    for (let at = 0; at < minutes; at += 5) clock.increment(5 * MINUTE);
  };
  return {
    actor,
    clock,
    asked: () => disk.commands.map(({ depth }) => depth),
    culprits: () => disk.commands.map(({ culprits = false }) => culprits),
    pass,
    crash: disk.crash,
  };
}

describe('storage health', () => {
  it('checks the document at the start and once a day, and the space every 5 minutes', () => {
    const { asked, pass } = start();
    expect(asked()).toEqual(['full']);
    pass(15);
    expect(asked()).toEqual(['full', 'space', 'space', 'space']);
    pass(24 * 60 - 15);
    expect(asked().filter((depth) => depth === 'full')).toHaveLength(2);
    expect(asked().filter((depth) => depth === 'space')).toHaveLength(288);
  });

  it('checks soon after a failed save, and at every inspection while the failure stands', () => {
    const { actor, clock, asked, pass } = start();
    actor.send({ type: 'storage.commit-failed', reason: 'ENOSPC', at: 5 });
    expect(actor.getSnapshot().context.health).toMatchObject({ state: 'database_failure', failure: 'storage_full' });
    clock.increment(1_000);
    expect(asked()).toEqual(['full', 'full']);
    pass(10);
    expect(asked()).toEqual(['full', 'full', 'full', 'full']);
  });

  it('looks for what fills the disk only while space is short, and not after each save', () => {
    const { actor, culprits, pass } = start();
    const look = { totalBytes: 16e9, documentBytes: 2, sizes: null, check: 'ok', damaged: [] } as const;
    const inspected = (usableBytes: number, at: number): void =>
      actor.send({ type: 'storage.inspected', inspection: { ...look, usableBytes }, at });
    expect(culprits()).toEqual([true]);
    inspected(8e9, 1);
    pass(5);
    inspected(1e6, 2);
    actor.send({ type: 'storage.commit-succeeded', at: 3 });
    pass(5);
    expect(culprits()).toEqual([true, false, false, true]);
    const large = [{ holds: 'journal', bytes: 4e9 }] as const;
    actor.send({ type: 'storage.inspected', inspection: { ...look, usableBytes: 1e6, large }, at: 4 });
    inspected(1e6, 5);
    expect(actor.getSnapshot().context.facts.large).toEqual(large);
  });

  it('checks the first document that is written, and later only its size', () => {
    const { actor, asked } = start();
    actor.send({ type: 'storage.commit-succeeded', at: 5 });
    expect(asked()).toEqual(['full', 'full']);
    actor.send({
      type: 'storage.inspected',
      inspection: { usableBytes: 8e9, totalBytes: 16e9, documentBytes: 2, sizes: null, check: 'ok', damaged: [] },
      at: 6,
    });
    actor.send({ type: 'storage.commit-succeeded', at: 7 });
    expect(asked()).toEqual(['full', 'full', 'space']);
  });

  it('inspects when asked to, and at once reports what it saw', () => {
    const { actor, asked } = start();
    actor.send({ type: 'storage.check' });
    expect(asked()).toEqual(['full', 'full']);
    actor.send({
      type: 'storage.inspected',
      inspection: { usableBytes: 0, totalBytes: 1, documentBytes: 2, sizes: null, check: 'ok', damaged: [] },
      at: 7,
    });
    expect(actor.getSnapshot().context.health).toMatchObject({ state: 'critical', quick_check: 'ok', checked_at: 7 });
  });

  it('ends as failed when the driver breaks', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'storage-health-driver' });
  });

  it('is one sensor that is always published, with its evidence', () => {
    const { actor } = start();
    const snapshot = { value: 'watching', context: actor.getSnapshot().context };
    const [row] = rows;
    expect(rows).toHaveLength(1);
    expect(row).toMatchObject({ key: 'storage_health', category: 'diagnostic' });
    expect(row).not.toHaveProperty('expose');
    if (row?.entityKind !== 'sensor') throw new Error('not a sensor');
    expect(row.read(snapshot)).toBe('unchecked');
    expect(row.attributes?.(snapshot)).toMatchObject({
      usable_mib: null,
      quick_check: 'not_run',
      quick_checked_at: null,
      growth_bytes_per_day: null,
      failure: null,
    });
    actor.send({
      type: 'storage.inspected',
      inspection: {
        usableBytes: 8e9,
        totalBytes: 16e9,
        documentBytes: 2,
        sizes: { sectionsBytes: 6, copiesBytes: 3, profilesBytes: 4, otherBytes: 5 },
        check: 'ok',
        damaged: [],
      },
      at: 0,
    });
    expect(row.attributes?.({ value: 'watching', context: actor.getSnapshot().context })).toMatchObject({
      database_bytes: 8,
      sidecar_bytes: 3,
      profiles_bytes: 4,
      other_bytes: 5,
      quick_check: 'ok',
      quick_checked_at: '1970-01-01T00:00:00.000Z',
    });
  });
});
