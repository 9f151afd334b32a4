/** Node's warnings of listeners that pile up, said during `during`. */
export const leakWarnings = async (during: () => Promise<unknown>): Promise<readonly string[]> => {
  const said: string[] = [];
  const hear = (warning: Error): void =>
    void (warning.name === 'MaxListenersExceededWarning' && said.push(warning.message));
  process.on('warning', hear);
  try {
    await during();
    // Node says it on the turn after.
    await new Promise((resolve) => setImmediate(resolve));
    return said;
  } finally {
    process.off('warning', hear);
  }
};
