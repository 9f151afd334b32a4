import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** How long a preview may be saved from. */
export const previewMs: Milliseconds = 10 * 60_000;
/** Most previews that can be saved from at a time; the oldest goes first. */
const mostPreviews = 64;

/** Permission to save the bytes that were previewed. */
export interface PreviewToken {
  /** A name nobody can guess. */
  readonly token: string;
  /** Revision that the previewed bytes are. */
  readonly revision: string;
  readonly expiresAt: EpochMs;
}

/** The permissions of this run of the agent, the oldest first. */
export type PreviewTokens = readonly PreviewToken[];

/** One more permission, and all that are in force with it. */
export function issueToken(
  tokens: PreviewTokens,
  { token, revision }: Pick<PreviewToken, 'token' | 'revision'>,
  now: EpochMs,
): { readonly issued: PreviewToken; readonly tokens: PreviewTokens } {
  const issued = { token, revision, expiresAt: now + previewMs };
  return { issued, tokens: [...tokens, issued].slice(-mostPreviews) };
}

/** True if bytes of that revision may be saved with a token now. */
export const allowsImport = (tokens: PreviewTokens, token: string, revision: string, now: EpochMs): boolean =>
  tokens.some((one) => one.token === token && one.revision === revision && now < one.expiresAt);
