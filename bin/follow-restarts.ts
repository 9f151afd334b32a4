import type { Registry } from '#actors/kit/registry.ts';

/** What the agent has to restart for. */
export type RestartReason = 'profile' | 'reset' | 'restore';

/**
 * Calls back once when a part has recorded something that only a new start can carry out; returns functions that stop
 * it.
 */
export function followRestarts(
  registry: Pick<Registry, 'follow'>,
  onRestartDue: (reason: RestartReason) => void,
): (() => void)[] {
  let isReported = false;
  const report = (reason: RestartReason, due: boolean): void => {
    if (!due || isReported) return;
    isReported = true;
    onRestartDue(reason);
  };
  return [
    registry.follow(
      'profile-catalog',
      (snapshot) => snapshot?.context.restartDue === true,
      (due) => report('profile', due),
    ),
    registry.follow(
      'reset',
      (snapshot) => snapshot?.context.restartDue === true,
      (due) => report('reset', due),
    ),
    registry.follow(
      'backup',
      (snapshot) => snapshot?.context.restartDue === true,
      (due) => report('restore', due),
    ),
  ];
}
