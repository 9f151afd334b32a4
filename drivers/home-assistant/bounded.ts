import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest wait for the answer to one command. */
export const ANSWER_MS: Milliseconds = 10_000;

/** Result of a command. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** `code` is Home Assistant's own, such as `not_found`; null without an answer in time or after a lost connection. */
  | { readonly ok: false; readonly code: string | null };

/** Sends one command, without an id, to Home Assistant; never rejects. */
export type Ask = (command: { readonly type: string } & Readonly<Record<string, unknown>>) => Promise<Answer<unknown>>;

function codeOf(error: unknown): string | null {
  const { code } = fieldsOf(error);
  // Codes of the library itself are numbers.
  return typeof code === 'string' ? code : null;
}

/** The answer to a command within 10 s; never rejects. */
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
