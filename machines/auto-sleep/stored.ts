import { z } from 'zod';
import { once } from '../kit/once.ts';
import type { StoredInclusion, StoredSleep } from './events.ts';

/** Buckets of one day, days, and the largest count of a bucket. */
const [BUCKETS, DAYS, COUNT_MAX] = [12, 7, 10_000];
/** Most sources that are remembered as left out. */
export const EXCLUDED_MAX = 256;

const key = once(() => z.string().regex(/^[0-9a-f]{64}$/));
const counts = once(() => z.array(z.int().min(0).max(COUNT_MAX)).length(BUCKETS));
const darkener = once(() => z.enum(['auto-sleep', 'clock']));

const learned = once(() =>
  z.object({
    partition: key(),
    days: z.array(z.object({ day: z.int().min(0), touch: counts(), approach: counts() })).max(DAYS),
    correction: z
      .object({ floorMs: z.number().min(0).max(3_600_000), at: z.number().min(0) })
      .nullable()
      .catch(null),
  }),
);

/** The stored section, version 1. One part that cannot be read does not take the others with it. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    learned: learned().nullable().catch(null),
    darkened: z
      .object({
        screen: darkener().optional(),
        screen_2: darkener().optional(),
        screen_3: darkener().optional(),
        screen_4: darkener().optional(),
      })
      .catch({}),
    isSuppressed: z.boolean().catch(false),
    place: z
      .object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        timeZone: z.string().min(1).max(100),
      })
      .nullable()
      .catch(null),
  }),
);

export const nothingStored: StoredSleep = { learned: null, darkened: {}, isSuppressed: false, place: null };

type Darkened = StoredSleep['darkened'];

/** Without the fields of screens that are lit. */
const onlyDark = (darkened: z.output<ReturnType<typeof section>>['darkened']): Darkened =>
  Object.fromEntries(Object.entries(darkened).filter(([, by]) => by !== undefined)) satisfies Darkened;

/** Reads the stored section; what cannot be read counts as never stored. */
export function readStored(stored: unknown): StoredSleep {
  const found = section().safeParse(stored).data;
  if (found === undefined) return nothingStored;
  return {
    learned: found.learned,
    darkened: onlyDark(found.darkened),
    isSuppressed: found.isSuppressed,
    place: found.place,
  };
}

/** The section that is stored; null removes it. */
export function storedSleep({ learned: gaps, darkened, isSuppressed, place }: StoredSleep): unknown {
  const isEmpty = gaps === null && place === null && !isSuppressed && Object.keys(darkened).length === 0;
  return isEmpty ? null : { version: 1, learned: gaps, darkened, isSuppressed, place };
}

const inclusion = once(() => z.object({ version: z.literal(1), excluded: z.array(key()).max(EXCLUDED_MAX) }));

/** Reads which sources are left out; what cannot be read leaves none out. */
export const readInclusion = (stored: unknown): StoredInclusion => ({
  excluded: inclusion().safeParse(stored).data?.excluded ?? [],
});

/** The section that is stored; null removes it. */
export const storedInclusion = ({ excluded }: StoredInclusion): unknown =>
  excluded.length === 0 ? null : { version: 1, excluded };
