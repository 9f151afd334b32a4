import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { MachineReading, ReadingsContext, ReadingsActor } from './events.ts';

const ACTOR = 'readings';

const readingOf = (snapshot: SnapshotView<ReadingsContext>): MachineReading | null => snapshot.context.reading;

const field =
  <K extends keyof MachineReading>(key: K) =>
  (snapshot: SnapshotView<ReadingsContext>): MachineReading[K] | null =>
    readingOf(snapshot)?.[key] ?? null;

const known =
  (key: keyof MachineReading) =>
  (snapshot: SnapshotView<ReadingsContext>): boolean =>
    field(key)(snapshot) !== null;

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;

/** The machine's own readings as diagnostic sensors (as in panel-assistant). */
export const rows = rowsOf<ReadingsActor>([
  {
    entityKind: 'sensor',
    key: 'diag_ip',
    name: 'IP address',
    icon: 'mdi:ip-network',
    category: 'diagnostic',
    actor: ACTOR,
    expose: 'diag_ip',
    available: known('address'),
    read: field('address'),
  },
  {
    entityKind: 'sensor',
    key: 'diag_cpu',
    name: 'Processor load',
    icon: 'mdi:cpu-64-bit',
    category: 'diagnostic',
    stateClass: 'measurement',
    unit: '%',
    precision: 0,
    actor: ACTOR,
    expose: 'diag_cpu',
    available: known('cpuPercent'),
    read: (snapshot) => rounded(field('cpuPercent')(snapshot), 0),
  },
  {
    entityKind: 'sensor',
    key: 'diag_memory',
    name: 'Memory in use',
    icon: 'mdi:memory',
    category: 'diagnostic',
    stateClass: 'measurement',
    unit: '%',
    precision: 0,
    actor: ACTOR,
    expose: 'diag_memory',
    available: known('memoryPercent'),
    read: (snapshot) => rounded(field('memoryPercent')(snapshot), 0),
  },
  {
    entityKind: 'sensor',
    key: 'diag_soc_temp',
    name: 'Processor temperature',
    category: 'diagnostic',
    deviceClass: 'temperature',
    stateClass: 'measurement',
    unit: '°C',
    precision: 1,
    actor: ACTOR,
    capability: 'soc-temperature',
    expose: 'diag_soc_temp',
    available: known('socCelsius'),
    read: (snapshot) => rounded(field('socCelsius')(snapshot), 1),
  },
  {
    entityKind: 'sensor',
    key: 'diag_boot',
    name: 'Started',
    icon: 'mdi:clock-start',
    category: 'diagnostic',
    deviceClass: 'timestamp',
    actor: ACTOR,
    expose: 'diag_boot',
    available: known('bootedAt'),
    read: (snapshot) => {
      const at = field('bootedAt')(snapshot);
      return at === null ? null : new Date(at).toISOString();
    },
  },
  {
    entityKind: 'sensor',
    key: 'diag_wifi_ssid',
    name: 'Wi-Fi network',
    icon: 'mdi:wifi',
    category: 'diagnostic',
    actor: ACTOR,
    capability: 'wifi',
    expose: 'diag_wifi_ssid',
    available: known('wifiName'),
    read: field('wifiName'),
  },
  {
    entityKind: 'sensor',
    key: 'diag_wifi_rssi',
    name: 'Wi-Fi signal',
    icon: 'mdi:wifi',
    category: 'diagnostic',
    deviceClass: 'signal_strength',
    stateClass: 'measurement',
    unit: 'dBm',
    precision: 0,
    actor: ACTOR,
    capability: 'wifi',
    expose: 'diag_wifi_rssi',
    available: known('wifiSignalDbm'),
    read: (snapshot) => rounded(field('wifiSignalDbm')(snapshot), 0),
  },
]);
