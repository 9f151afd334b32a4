/** Codes of Home Assistant that end a turn without an error. */
const quiet: ReadonlySet<string> = new Set([
  // Another satellite heard the same, and answers.
  'duplicate_wake_up_detected',
  // Nothing was said.
  'stt-no-text-recognized',
]);

export const isQuiet = (code: string): boolean => quiet.has(code);
