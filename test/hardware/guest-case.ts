/** One case of the guest; it answers what it measured, and fails by throwing. */
export interface GuestCase {
  readonly title: string;
  readonly run: () => Promise<string>;
  /** Whether it belongs to `bin/test all` alone. */
  readonly onlyInAll?: boolean;
}

/** Thrown by a case that this kernel cannot run. */
export class NotHere extends Error {}

/** A pause. */
export const turn = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * What is awaited came, or the bound passed. Emulated, and on a machine that has other work, the guest is fifty times
 * slower than a panel and more, so that no bound says anything of the agent.
 */
export async function until(what: string, check: () => Promise<boolean>, boundMs = 180_000): Promise<void> {
  const deadline = Date.now() + boundMs;
  while (!(await check().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    // Rarely: under emulation the poller takes processor time from what it polls.
    await turn(50);
  }
}

// Every line for the host begins with this word: the kernel writes on the same console.
/** Tells the host something; the first word says what it is. */
export const say = (...words: readonly string[]): void => void process.stdout.write(`\nSCONCE ${words.join(' ')}\n`);
