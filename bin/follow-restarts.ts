import type { Registry } from '#actors/kit/registry.ts';

/** What the agent has to start again for. */
export type RestartReason = 'profile' | 'reset';

/** Calls once when a part has written down what only a new start can carry out; returns how to stop that. */
export function followRestarts(
  registry: Pick<Registry, 'follow'>,
  onRestartDue: (reason: RestartReason) => void,
): (() => void)[] {
  let told = false;
  const tell = (reason: RestartReason, due: boolean): void => {
    if (!due || told) return;
    told = true;
    onRestartDue(reason);
  };
  return [
    registry.follow(
      'profile-catalog',
      (snapshot) => snapshot?.context.restartDue === true,
      (due) => tell('profile', due),
    ),
    registry.follow(
      'reset',
      (snapshot) => snapshot?.context.restartDue === true,
      (due) => tell('reset', due),
    ),
  ];
}
