import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';

export interface TrialListeners {
  readonly log: Logger;
  readonly onTrialOver?: () => void;
}

/** Follows the catalogue: the end of a trial, and what an owner finds in the log. */
export function followProfiles(registry: Registry, { log, onTrialOver }: TrialListeners): (() => void)[] {
  let over = false;
  return [
    registry.follow(
      'profile-catalog',
      (snapshot) => {
        const context = snapshot?.context;
        return context !== undefined && context.catalog !== null && !context.trial;
      },
      (ended) => {
        if (!ended || over) return;
        over = true;
        onTrialOver?.();
      },
    ),
    registry.follow(
      'profile-catalog',
      (snapshot) => {
        const catalog = snapshot?.context.catalog ?? null;
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
        if (profiles.state === 'rolled_back')
          log.error('The selected profile did not work and was rolled back.', profiles);
        else if (profiles.issues > 0) log.warn('Some of the stored profiles cannot be used.', profiles);
        else if (profiles.state === 'trial') log.info('A selected profile is being tried.', profiles);
        else log.info('The profile is now in use.', profiles);
      },
    ),
  ];
}
