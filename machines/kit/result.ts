/** An expected outcome as a value: success with the result, or a refusal with a stable reason code. */
export type Result<T, R extends string = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: R; readonly message: string };

/** A successful result. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** A refusal: `reason` is a stable code, `message` one plain sentence for a person. */
export const refuse = <R extends string>(
  reason: R,
  message: string,
): { readonly ok: false; readonly reason: R; readonly message: string } => ({
  ok: false,
  reason,
  message,
});
