import { asking, type CommandRefused } from './entity.ts';
import type { MergeOutcome, SettingsActor } from '../settings/events.ts';

/** Why settings were not changed; null if they were. */
function refusalIn(outcome: MergeOutcome): CommandRefused | null {
  switch (outcome.status) {
    case 'saved':
    case 'no-op':
      return null;
    case 'refused':
      return { reason: 'refused', message: Object.values(outcome.reasons)[0] ?? 'This value is not allowed.' };
    case 'busy':
    case 'stale':
      return {
        reason: 'busy',
        message: 'Another operation, such as a restore, is under way. Try again once it has ended.',
      };
    case 'commit-failed':
      // The switch is off now, whatever the disk says.
      if (outcome.off !== undefined) return null;
      return { reason: 'commit-failed', message: 'The setting could not be written to the disk.' };
  }
}

/** The command of an entity row that changes settings. */
export const mergeOf = (patch: Readonly<Record<string, unknown>>) =>
  asking<SettingsActor>()({ type: 'settings.merge', patch }, refusalIn);
