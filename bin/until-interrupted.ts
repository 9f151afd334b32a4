const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that has to tidy up after itself: a signal that ends this process aborts the work first, then takes effect.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = (ending: NodeJS.Signals): void => interrupted.abort(ending);
  for (const ending of endings) process.on(ending, interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const ending of endings) process.off(ending, interrupt);
    const ending = endings.find((one) => one === interrupted.signal.reason);
    if (ending !== undefined) process.kill(process.pid, ending);
  }
}
