/** How often the panel is asked if a request was approved, in milliseconds. */
const LOOK_MS = 2_000;

/** Looks before the page gives up: ten minutes, after which the panel has forgotten the request. */
const MOST_LOOKS = 300;

/** What the panel says about a request that waits; null if it did not answer. */
export type LookedAt = 'pending' | 'approved' | 'absent' | null;

/** How the waiting ended. */
export type ApprovalEnd = 'approved' | 'absent' | 'given-up';

/** Resolves after a look's pause, or as soon as the waiting was given up. */
const pause = (givenUp: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      givenUp.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, LOOK_MS);
    givenUp.addEventListener('abort', done);
  });

/** Looks until a person answered at the panel, the request expired, or the waiting was given up. */
export async function watchApproval(look: () => Promise<LookedAt>, givenUp: AbortSignal): Promise<ApprovalEnd> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (givenUp.aborted) return 'given-up';
    await pause(givenUp);
    if (givenUp.aborted) return 'given-up';
    const state = await look();
    // Given up during the look: the request must not be repeated.
    if (givenUp.aborted) return 'given-up';
    if (state === 'approved' || state === 'absent') return state;
  }
  return 'absent';
}
