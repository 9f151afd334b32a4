import { asking } from './entity.ts';
import type { MergeOutcome, SettingsActor } from '../settings/events.ts';

/** Why settings were not changed: `refused` or `commit-failed`; null on success. */
const refusalIn = ({ status }: MergeOutcome): string | null =>
  status === 'refused' || status === 'commit-failed' ? status : null;

/** The command of an entity row that changes settings. */
export const mergeOf = (patch: Readonly<Record<string, unknown>>) =>
  asking<SettingsActor>()({ type: 'settings.merge', patch }, refusalIn);
