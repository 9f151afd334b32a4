import { createInterface } from 'node:readline/promises';

/** Writes lines to the terminal. */
export const say = (...lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

/** Writes one sentence to the error output; the exit status for a failure. */
export const sayWrong = (sentence: string): 1 => {
  process.stderr.write(`sconce: ${sentence}\n`);
  return 1;
};

/** Asks a person for consent; anything but yes is no. Null where nobody can be asked. */
export const consent = async (question: string): Promise<boolean | null> => {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    // Ctrl+D and Ctrl+C end the asking without an answer.
    const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), left])).trim());
  } finally {
    lines.close();
  }
};
