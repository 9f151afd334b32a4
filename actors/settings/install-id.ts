import type { Milliseconds } from '#machines/kit/units.ts';

import type { Registry, Timers } from '../kit/registry.ts';

/** The install id of this machine, as the identity has decided it. */
export interface InstallId {
  /** Null until the identity has compared the machine with the one that is stored. */
  readonly known: () => string | null;
  /** Resolves once it is known, or after the bound. */
  readonly whenKnown: (boundMs: Milliseconds) => Promise<void>;
  readonly end: () => void;
}

/** Follows it across restarts of the identity; `onChange` is called when it becomes known, or is another one. */
export function followInstallId(registry: Pick<Registry, 'follow'>, timers: Timers, onChange: () => void): InstallId {
  let known: string | null = null;
  let wake: () => void = () => {};
  let timer: unknown;
  const end = registry.follow(
    'identity',
    (snapshot) => snapshot?.context.installId ?? '',
    (installId) => {
      if (installId === '' || installId === known) return;
      known = installId;
      wake();
      onChange();
    },
  );
  return {
    known: () => known,
    whenKnown: async (boundMs) => {
      if (known !== null) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = timers.setTimeout(resolve, boundMs);
      });
      timers.clearTimeout(timer);
    },
    end: () => {
      timers.clearTimeout(timer);
      wake();
      end();
    },
  };
}
