import { tOr } from './t.ts';

/** Ids of parts until version 0.1.0, which histories from then still name. */
const formerIds: ReadonlyMap<string, string> = new Map([
  ['logs', 'live-log'],
  ['profile', 'active-profile'],
  ['profiles', 'profile-catalog'],
]);

/** The display name of a part of the engine or of a group of parts; the id itself if this version does not know it. */
export const partName = (id: string): string => tOr(`part.${formerIds.get(id) ?? id}`, id);
