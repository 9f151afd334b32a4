/** Node's warnings of listeners that pile up, said during `during`; they are not printed, others are. */
export async function leakWarnings(during: () => Promise<unknown>): Promise<readonly string[]> {
  const said: string[] = [];
  const printers = process.listeners('warning');
  const hear = (warning: Error): void => {
    if (warning.name === 'MaxListenersExceededWarning') said.push(warning.message);
    else for (const print of printers) print(warning);
  };
  process.removeAllListeners('warning');
  process.on('warning', hear);
  try {
    await during();
    // Node says it on the turn after.
    await new Promise((resolve) => setImmediate(resolve));
    return said;
  } finally {
    process.off('warning', hear);
    for (const print of printers) process.on('warning', print);
  }
}
