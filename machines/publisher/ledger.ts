import { z } from 'zod';
import type { EntityPlatform } from '../kit/entity.ts';
import type { EntityMark, PublishedPanel } from './events.ts';

/**
 * Where an entity that was announced once stands: `here` is announced now; `due` has to be swept; `swept` was swept
 * while nobody could say whether the platform was running, so it is swept once more after the platform's birth message.
 */
export type MarkStanding = 'here' | 'due' | 'swept';

/** One entity that was announced once. */
export interface LedgerEntry extends EntityMark {
  readonly standing: MarkStanding;
}

/** One device that was announced once: a panel id under a discovery prefix. */
export interface LedgerDevice {
  readonly panelId: string;
  readonly prefix: string;
  readonly entries: readonly LedgerEntry[];
}

/** Every (panel id, prefix, key, platform) ever announced and not yet swept from the platform for certain. */
export interface Ledger {
  readonly version: 1;
  readonly devices: readonly LedgerDevice[];
}

/** The ledger of a machine that never announced anything. */
export const emptyLedger: Ledger = { version: 1, devices: [] };

/** Most devices and entities kept; older devices beyond it are forgotten. */
const DEVICES = 16;
const ENTRIES = 300;

const platforms = [
  'light',
  'number',
  'text',
  'switch',
  'select',
  'button',
  'sensor',
  'binary_sensor',
  'event',
] as const satisfies readonly EntityPlatform[];

const ledgerSchema = z.object({
  version: z.literal(1),
  devices: z
    .array(
      z.object({
        panelId: z.string().regex(/^[a-z0-9_]{1,63}$/),
        prefix: z.string().regex(/^[^+#\0]{1,128}$/),
        entries: z
          .array(
            z.object({
              key: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
              platform: z.enum(platforms),
              standing: z.enum(['here', 'due', 'swept']),
            }),
          )
          .max(ENTRIES * 2),
      }),
    )
    .max(DEVICES * 2),
});

/** Reads what the store kept; anything that is not a ledger counts as none. */
export const ledgerFrom = (stored: unknown): Ledger => {
  const parsed = ledgerSchema.safeParse(stored);
  return parsed.success ? parsed.data : emptyLedger;
};

type DeviceName = Pick<PublishedPanel, 'panelId' | 'prefix'>;

const isSame = (a: DeviceName, b: DeviceName): boolean => a.panelId === b.panelId && a.prefix === b.prefix;
const sameMark = (a: EntityMark, b: EntityMark): boolean => a.key === b.key && a.platform === b.platform;

/** The ledger once `marks` are announced as `panel`: what was announced before and is not in it has become a ghost. */
export const remember = (ledger: Ledger, panel: DeviceName, marks: readonly EntityMark[]): Ledger => {
  const before = ledger.devices.find((device) => isSame(device, panel));
  const gone = (before?.entries ?? []).filter((entry) => !marks.some((mark) => sameMark(mark, entry)));
  const current: LedgerDevice = {
    panelId: panel.panelId,
    prefix: panel.prefix,
    entries: [
      ...marks.map(({ key, platform }): LedgerEntry => ({ key, platform, standing: 'here' })),
      ...gone.map((entry): LedgerEntry => ({ ...entry, standing: entry.standing === 'here' ? 'due' : entry.standing })),
    ].slice(0, ENTRIES),
  };
  const others = ledger.devices
    .filter((device) => !isSame(device, panel) && device.entries.length > 0)
    .map((device): LedgerDevice => ({
      ...device,
      entries: device.entries.map((entry) => (entry.standing === 'here' ? { ...entry, standing: 'due' } : entry)),
    }));
  return { version: 1, devices: [current, ...others].slice(0, DEVICES) };
};

/**
 * The ledger after a sweep; `certain` when the platform was known to be running, so that nothing has to be repeated.
 */
export const settle = (ledger: Ledger, certain: boolean): Ledger => ({
  version: 1,
  devices: ledger.devices
    .map((device) => ({
      ...device,
      entries: device.entries.flatMap((entry): readonly LedgerEntry[] =>
        entry.standing === 'here' ? [entry] : certain ? [] : [{ ...entry, standing: 'swept' }],
      ),
    }))
    .filter((device) => device.entries.length > 0),
});

/** The ledger without the devices under panel ids that other machines own now: what is there is theirs. */
export const withoutPanels = (ledger: Ledger, panelIds: readonly string[]): Ledger => ({
  version: 1,
  devices: ledger.devices.filter((device) => !panelIds.includes(device.panelId)),
});

/** Entities of earlier shapes of `panel`; all of them, or only those that are due. */
export const ghostsOf = (ledger: Ledger, panel: DeviceName, standing: 'due' | 'all'): readonly EntityMark[] =>
  (ledger.devices.find((device) => isSame(device, panel))?.entries ?? [])
    .filter((entry) => entry.standing === 'due' || (standing === 'all' && entry.standing === 'swept'))
    .map(({ key, platform }) => ({ key, platform }));

/** Devices other than `panel` that have to be swept as a whole. */
export const oldDevices = (ledger: Ledger, panel: DeviceName, standing: 'due' | 'all'): readonly LedgerDevice[] =>
  ledger.devices.filter(
    (device) =>
      !isSame(device, panel) && (standing === 'all' || device.entries.some((entry) => entry.standing !== 'swept')),
  );

/** How many entities still have to be swept. */
export const ghostCount = (ledger: Ledger): number =>
  ledger.devices.reduce((sum, device) => sum + device.entries.filter((entry) => entry.standing !== 'here').length, 0);
