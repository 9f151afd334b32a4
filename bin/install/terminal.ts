import { createInterface } from 'node:readline/promises';
import { withoutSudo } from '#machines/kit/root-shell.ts';
import { isRootShell } from '#bin/root-shell.ts';

const asTyped = isRootShell() ? withoutSudo : (text: string): string => text;

/** Writes lines to the terminal; commands in them are shown as the calling shell needs them. */
export function say(...lines: readonly string[]): void {
  process.stdout.write(`${asTyped(lines.join('\n'))}\n`);
}

/** Writes one sentence to the error output; returns the exit status of a failure. */
export function sayWrong(sentence: string): 1 {
  process.stderr.write(`sconce: ${asTyped(sentence)}\n`);
  return 1;
}

/** Asks a person for consent; anything but yes is no. Null if there is no terminal to ask in. */
export async function consent(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    // Ctrl+D and Ctrl+C end the question without an answer.
    const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), left])).trim());
  } finally {
    lines.close();
  }
}
