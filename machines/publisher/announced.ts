import { z } from 'zod';
import { entityKinds } from '../kit/entity.ts';
import { once } from '../kit/once.ts';
import type { RowShape } from '../entities/shape.ts';
import type { EntityMark, PublishedPanel } from './events.ts';

/**
 * State of an entity that was announced once: `here` is announced now; `due` has to be swept; `swept` was swept while
 * it was not known if Home Assistant was running, so it is swept again after the next birth message.
 */
type AnnouncedState = 'here' | 'due' | 'swept';

export interface AnnouncedEntity extends EntityMark {
  readonly state: AnnouncedState;
}

/** A device that was announced once: a panel id under a discovery prefix. */
export interface AnnouncedDevice {
  readonly panelId: string;
  readonly prefix: string;
  readonly entries: readonly AnnouncedEntity[];
}

/** Every (panel id, prefix, key, kind) ever announced and not yet swept for certain. */
export interface AnnouncedEntities {
  readonly devices: readonly AnnouncedDevice[];
}

export const nothingAnnounced: AnnouncedEntities = { devices: [] };

/** Maximum number of devices, and of entities per device; the oldest are dropped. */
const DEVICES = 16;
const ENTRIES = 300;

/** The stored form; its field names differ from those in memory (`platform` is the kind, `standing` the state). */
const stored = once(() =>
  z.object({
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
                platform: z.enum(entityKinds),
                standing: z.enum(['here', 'due', 'swept']),
              }),
            )
            .max(ENTRIES * 2),
        }),
      )
      .max(DEVICES * 2),
  }),
);

/** Parses the stored section; anything that is not a valid document counts as empty. */
export function announcedFrom(section: unknown): AnnouncedEntities {
  const parsed = stored().safeParse(section);
  if (!parsed.success) return nothingAnnounced;
  return {
    devices: parsed.data.devices.map(({ panelId, prefix, entries }) => ({
      panelId,
      prefix,
      entries: entries.map(({ key, platform, standing }) => ({ key, entityKind: platform, state: standing })),
    })),
  };
}

/** The JSON for the store. */
export const storedForm = ({ devices }: AnnouncedEntities): z.output<ReturnType<typeof stored>> => ({
  version: 1,
  devices: devices.map(({ panelId, prefix, entries }) => ({
    panelId,
    prefix,
    entries: entries.map(({ key, entityKind, state }) => ({ key, platform: entityKind, standing: state })),
  })),
});

type DeviceName = Pick<PublishedPanel, 'panelId' | 'prefix'>;

export const isSame = (a: DeviceName, b: DeviceName): boolean => a.panelId === b.panelId && a.prefix === b.prefix;
const sameMark = (a: EntityMark, b: EntityMark): boolean => a.key === b.key && a.entityKind === b.entityKind;

/** The rows of `panel` to announce: all but those that were not found and are not announced now under its id. */
export function shapesToAnnounce(
  panel: Pick<PublishedPanel, 'panelId' | 'shapes' | 'hidden'>,
  { devices }: AnnouncedEntities,
): readonly RowShape[] {
  const own = devices.filter(({ panelId }) => panelId === panel.panelId).flatMap(({ entries }) => entries);
  const isHere = (shape: RowShape): boolean => own.some((entry) => entry.state === 'here' && sameMark(entry, shape));
  return panel.shapes.filter((shape) => !panel.hidden.includes(shape.key) || isHere(shape));
}

/**
 * Records that `marks` will be announced as `panel`; anything announced earlier that is not among them becomes an
 * orphaned entity.
 */
export function remember(
  announced: AnnouncedEntities,
  panel: DeviceName,
  marks: readonly EntityMark[],
): AnnouncedEntities {
  const before = announced.devices.find((device) => isSame(device, panel));
  const gone = (before?.entries ?? []).filter((entry) => !marks.some((mark) => sameMark(mark, entry)));
  const current: AnnouncedDevice = {
    panelId: panel.panelId,
    prefix: panel.prefix,
    entries: [
      ...marks.map(({ key, entityKind }): AnnouncedEntity => ({ key, entityKind, state: 'here' })),
      ...gone.map((entry): AnnouncedEntity => ({ ...entry, state: entry.state === 'here' ? 'due' : entry.state })),
    ].slice(0, ENTRIES),
  };
  const others = announced.devices
    .filter((device) => !isSame(device, panel) && device.entries.length > 0)
    .map((device): AnnouncedDevice => ({
      ...device,
      entries: device.entries.map((entry) => (entry.state === 'here' ? { ...entry, state: 'due' } : entry)),
    }));
  return { devices: [current, ...others].slice(0, DEVICES) };
}

/**
 * Updates the entities after a sweep; `certain` is true if Home Assistant was known to be running, so that nothing has
 * to be repeated.
 */
export const settle = (announced: AnnouncedEntities, certain: boolean): AnnouncedEntities => ({
  devices: announced.devices
    .map((device) => ({
      ...device,
      entries: device.entries.flatMap((entry): readonly AnnouncedEntity[] =>
        entry.state === 'here' ? [entry] : certain ? [] : [{ ...entry, state: 'swept' }],
      ),
    }))
    .filter((device) => device.entries.length > 0),
});

/** Drops devices under panel ids that other machines own now: those entities are theirs. */
export const withoutPanels = (announced: AnnouncedEntities, panelIds: readonly string[]): AnnouncedEntities => ({
  devices: announced.devices.filter((device) => !panelIds.includes(device.panelId)),
});

/** Orphaned entities of `panel`: all of them, or only those that are due. */
export const orphansOf = (
  announced: AnnouncedEntities,
  panel: DeviceName,
  which: 'due' | 'all',
): readonly EntityMark[] =>
  (announced.devices.find((device) => isSame(device, panel))?.entries ?? [])
    .filter((entry) => entry.state === 'due' || (which === 'all' && entry.state === 'swept'))
    .map(({ key, entityKind }) => ({ key, entityKind }));

/** Devices other than `panel` to sweep as a whole. */
export const oldDevices = (
  announced: AnnouncedEntities,
  panel: DeviceName,
  which: 'due' | 'all',
): readonly AnnouncedDevice[] =>
  announced.devices.filter(
    (device) => !isSame(device, panel) && (which === 'all' || device.entries.some((entry) => entry.state !== 'swept')),
  );

/**
 * Counts the entities that are no longer announced and not yet swept for certain, and those among them that were never
 * swept.
 */
export function countOrphans({ devices }: AnnouncedEntities): { readonly orphans: number; readonly due: number } {
  const gone = devices.flatMap(({ entries }) => entries.filter(({ state }) => state !== 'here'));
  return { orphans: gone.length, due: gone.filter(({ state }) => state === 'due').length };
}

/** Drops the entities that were already swept. */
export const announcedNow = ({ devices }: AnnouncedEntities): AnnouncedEntities => ({
  devices: devices
    .map((device) => ({ ...device, entries: device.entries.filter(({ state }) => state !== 'swept') }))
    .filter(({ entries }) => entries.length > 0),
});

/** Marks every announced entity as due. */
export const dueAgain = ({ devices }: AnnouncedEntities): AnnouncedEntities => ({
  devices: devices.map((device) => ({
    ...device,
    entries: device.entries.map((entry): AnnouncedEntity =>
      entry.state === 'here' ? { ...entry, state: 'due' } : entry,
    ),
  })),
});
