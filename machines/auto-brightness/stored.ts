import { z } from 'zod';
import { once } from '../kit/once.ts';
import type { StoredRoom } from './events.ts';

const level = once(() => z.int().min(1).max(255));

/** The stored section, version 1. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    preference: z
      .object({
        origin: z.enum(['home_assistant', 'panel_controls', 'system']),
        requested: level(),
        automaticAtStart: level(),
        startedAt: z.int().min(0),
      })
      .nullable()
      .catch(null),
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

const nothingStored: StoredRoom = { preference: null, place: null };

/** Reads the stored section; what cannot be read counts as never stored. */
export function readStored(stored: unknown): StoredRoom {
  const found = section().safeParse(stored).data;
  return found === undefined ? nothingStored : { preference: found.preference, place: found.place };
}

/** The section that is stored; null removes it. */
export const storedRoom = ({ preference, place }: StoredRoom): z.input<ReturnType<typeof section>> | null =>
  preference === null && place === null ? null : { version: 1, preference, place };
