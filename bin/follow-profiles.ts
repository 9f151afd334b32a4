import type { Registry } from '#actors/kit/registry.ts';
import type { ProfilesContext } from '#machines/profiles/asks.ts';
import type { Logger } from '#drivers/log/logger.ts';

/** Who hears of a trial's end. */
export interface TrialListeners {
  readonly log: Logger;
  readonly onRestartDue?: () => void;
  readonly onTrialOver?: () => void;
}

// The profile catalogue's context, by the contract of its room.
const contextOf = (snapshot: { readonly context: unknown } | undefined): ProfilesContext | undefined =>
  snapshot?.context as ProfilesContext | undefined;

/** Follows the catalogue: the restart it asks for, the end of a trial, and what an owner finds in the log. */
export const followProfiles = (
  registry: Registry,
  { log, onRestartDue, onTrialOver }: TrialListeners,
): (() => void)[] => {
  let over = false;
  return [
    registry.follow(
      'profiles',
      (snapshot) => contextOf(snapshot)?.restartDue === true,
      (due) => {
        if (due) onRestartDue?.();
      },
    ),
    registry.follow(
      'profiles',
      (snapshot) => {
        const context = contextOf(snapshot);
        return context !== undefined && context.catalog !== null && !context.trial;
      },
      (ended) => {
        if (!ended || over) return;
        over = true;
        onTrialOver?.();
      },
    ),
    registry.follow(
      'profiles',
      (snapshot) => {
        const catalog = contextOf(snapshot)?.catalog ?? null;
        return catalog === null
          ? null
          : {
              state: catalog.activation.state,
              reason: catalog.activation.reason,
              mode: catalog.selection.mode,
              issues: catalog.issues.length,
            };
      },
      (profiles) => {
        if (profiles === null) return;
        if (profiles.state === 'rolled_back') log.error('the selected profile was tried and taken back', profiles);
        else if (profiles.issues > 0) log.warn('profiles', profiles);
        else log.info('profiles', profiles);
      },
    ),
  ];
};
