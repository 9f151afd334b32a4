import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** How long a previewed profile may be saved. */
export const previewMs: Milliseconds = 10 * 60_000;
/** Most valid tokens at a time; the oldest expires first. */
const mostPreviews = 64;

/** Permission to save the bytes that were previewed. */
export interface PreviewToken {
  /** Unguessable. */
  readonly token: string;
  /** Revision of the previewed bytes. */
  readonly revision: string;
  readonly expiresAt: EpochMs;
}

/** The tokens of this run of the agent, the oldest first. */
export type PreviewTokens = readonly PreviewToken[];

/** Issues one more token and returns all valid ones. */
export function issueToken(
  tokens: PreviewTokens,
  { token, revision }: Pick<PreviewToken, 'token' | 'revision'>,
  now: EpochMs,
): { readonly issued: PreviewToken; readonly tokens: PreviewTokens } {
  const issued = { token, revision, expiresAt: now + previewMs };
  return { issued, tokens: [...tokens, issued].slice(-mostPreviews) };
}

/** True if a token permits saving bytes of that revision now. */
export const allowsImport = (tokens: PreviewTokens, token: string, revision: string, now: EpochMs): boolean =>
  tokens.some((one) => one.token === token && one.revision === revision && now < one.expiresAt);
