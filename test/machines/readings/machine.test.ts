import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { rows } from '#machines/readings/entities.ts';
import type { MachineReading, ReadingsDriverCommand } from '#machines/readings/events.ts';
import { readingsMachine } from '#machines/readings/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const reading: MachineReading = {
  cpuPercent: 12.6,
  memoryPercent: 40.2,
  socCelsius: 51.26,
  bootedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  address: '192.0.2.7',
  wifi: 'joined',
  wifiName: 'Attic',
  wifiSignalDbm: -54,
  routeFamily: 'ipv4',
};

function start() {
  const source = fakeDriver<ReadingsDriverCommand>();
  const actor = createActor(readingsMachine.provide({ actors: { source: source.logic } })).start();
  return { actor, ...source };
}

describe('the readings', () => {
  it('keep the newest reading, with a boot time that does not flicker', () => {
    const { actor } = start();
    actor.send({ type: 'readings.taken', reading, at: 10 });
    actor.send({
      type: 'readings.taken',
      reading: { ...reading, cpuPercent: 3, bootedAt: (reading.bootedAt ?? 0) + 1000 },
      at: 20,
    });
    expect(actor.getSnapshot().context).toEqual({ reading: { ...reading, cpuPercent: 3 }, takenAt: 20 });
  });

  it('are read at once when they are wanted now', () => {
    const { actor, commands } = start();
    actor.send({ type: 'readings.refresh' });
    expect(commands).toEqual([{ type: 'readings.read' }]);
  });

  it('end as failed when the driver breaks', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'readings-driver' },
    });
  });
});

describe('the rows of the readings', () => {
  const view = (context: unknown) => ({ value: 'watching', context });
  const read = (context: unknown) =>
    Object.fromEntries(
      rows.map((row) => [
        row.key,
        row.entityKind === 'sensor' ? [row.read(view(context)), row.available(view(context))] : 'not a sensor',
      ]),
    );

  it('give what Home Assistant is given', () => {
    expect(read({ reading, takenAt: 1 })).toEqual({
      diag_ip: ['192.0.2.7', true],
      diag_cpu: [13, true],
      diag_memory: [40, true],
      diag_soc_temp: [51.3, true],
      diag_boot: ['2026-01-02T03:04:05.000Z', true],
      diag_wifi_ssid: ['Attic', true],
      diag_wifi_rssi: [-54, true],
    });
  });

  it('are unavailable before the first look and where this machine cannot tell', () => {
    expect(
      Object.values(read({ reading: null, takenAt: null })).every((entry) => JSON.stringify(entry) === '[null,false]'),
    ).toBe(true);
    const poor = { ...reading, socCelsius: null, wifiName: null, wifiSignalDbm: null };
    expect(read({ reading: poor, takenAt: 1 })).toMatchObject({
      diag_soc_temp: [null, false],
      diag_wifi_ssid: [null, false],
      diag_cpu: [13, true],
    });
  });

  it('are diagnostic, hidden behind their own key, and keep their names for ever', () => {
    expect(
      rows.every((row) => row.category === 'diagnostic' && row.expose === row.key && row.actor === 'readings'),
    ).toBe(true);
    expect(
      rows.map(
        (row) =>
          `${row.key} ${row.deviceClass ?? '-'} ${row.unit ?? '-'} ${row.stateClass ?? '-'} ${row.capability ?? '-'}`,
      ),
    ).toEqual([
      'diag_ip - - - -',
      'diag_cpu - % measurement -',
      'diag_memory - % measurement -',
      'diag_soc_temp temperature °C measurement soc-temperature',
      'diag_boot timestamp - - -',
      'diag_wifi_ssid - - - wifi',
      'diag_wifi_rssi signal_strength dBm measurement wifi',
    ]);
  });
});
