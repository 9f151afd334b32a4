import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest wait for the answer to one command. */
const ANSWER_MS: Milliseconds = 10_000;

/** What a command came to; a refusal, a lost connection and silence are all the same to whoever asked. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** The answer to a command within ten seconds; it never rejects. */
export const bounded = <T>(command: Promise<T>): Promise<Answer<T>> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false }), ANSWER_MS);
    const settle = (answer: Answer<T>): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    command.then(
      (value) => settle({ ok: true, value }),
      () => settle({ ok: false }),
    );
  });
