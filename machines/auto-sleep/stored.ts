import { z } from 'zod';
import { once } from '../kit/once.ts';
import type { ScreenId } from '../screen/events.ts';
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

const screens = ['screen', 'screen_2', 'screen_3', 'screen_4'] as const satisfies readonly ScreenId[];

/** A fact of some of the screens; without those that cannot be read. */
const perScreen = <T extends z.ZodType>(fact: T) => z.partialRecord(z.enum(screens), fact).default({}).catch({});

/** The stored section, version 1. One part that cannot be read does not take the others with it. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    learned: learned().nullable().catch(null),
    darkened: perScreen(darkener()),
    dimmed: perScreen(z.int().min(1).max(255)),
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

const hasAny = (facts: object): boolean => Object.keys(facts).length > 0;

/** Reads the stored section; what cannot be read counts as never stored. */
export function readStored(stored: unknown): StoredSleep {
  const found = section().safeParse(stored).data;
  if (found === undefined) return nothingStored;
  return {
    learned: found.learned,
    darkened: found.darkened,
    isSuppressed: found.isSuppressed,
    ...(hasAny(found.dimmed) ? { dimmed: found.dimmed } : {}),
    place: found.place,
  };
}

/** The section that is stored; null removes it. */
export function storedSleep({ learned: gaps, darkened, dimmed = {}, isSuppressed, place }: StoredSleep): unknown {
  const isEmpty = gaps === null && place === null && !isSuppressed && !hasAny(darkened) && !hasAny(dimmed);
  return isEmpty ? null : { version: 1, learned: gaps, darkened, dimmed, isSuppressed, place };
}

const inclusion = once(() => z.object({ version: z.literal(1), excluded: z.array(key()).max(EXCLUDED_MAX) }));

/** Reads which sources are left out; what cannot be read leaves none out. */
export const readInclusion = (stored: unknown): StoredInclusion => ({
  excluded: inclusion().safeParse(stored).data?.excluded ?? [],
});

/** The section that is stored; null removes it. */
export const storedInclusion = ({ excluded }: StoredInclusion): unknown =>
  excluded.length === 0 ? null : { version: 1, excluded };
