import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest wait for the answer to one command. */
export const ANSWER_MS: Milliseconds = 10_000;

/** What a command came to. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** `code` is Home Assistant's own of a refusal, `not_found`; null for silence and a connection that was lost. */
  | { readonly ok: false; readonly code: string | null };

/** Gives one command, without an id, to Home Assistant; it never rejects. */
export type Ask = (command: { readonly type: string } & Readonly<Record<string, unknown>>) => Promise<Answer<unknown>>;

function codeOf(error: unknown): string | null {
  const { code } = fieldsOf(error);
  // The library's own errors are numbers.
  return typeof code === 'string' ? code : null;
}

/** The answer to a command within ten seconds; it never rejects. */
export const bounded = <T>(command: Promise<T>): Promise<Answer<T>> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, code: null }), ANSWER_MS);
    const settle = (answer: Answer<T>): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    command.then(
      (value) => settle({ ok: true, value }),
      (error: unknown) => settle({ ok: false, code: codeOf(error) }),
    );
  });
