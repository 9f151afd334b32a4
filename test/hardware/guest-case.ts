/** One case of the guest; it answers what it measured, and fails by throwing. */
export interface GuestCase {
  readonly title: string;
  readonly run: () => Promise<string>;
}

/** Thrown by a case that this kernel cannot run. */
export class NotHere extends Error {}

/** A pause. */
export const turn = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** What is awaited came, or the bound passed. Emulated, the guest is about fifteen times slower than the host. */
export const until = async (what: string, check: () => Promise<boolean>, boundMs = 180_000): Promise<void> => {
  const deadline = Date.now() + boundMs;
  while (!(await check().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    // Seldom: under emulation whoever watches takes the time of whoever is watched.
    await turn(50);
  }
};
