import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

/** How long a preview may be saved from. */
export const PREVIEW_MS: Milliseconds = 10 * 60_000;
/** Most previews that can be saved from at a time; the oldest goes first. */
const MOST_PREVIEWS = 64;

/** Permissions to save what was previewed, in this process alone. */
export interface PreviewTokens {
  readonly mint: (revision: string) => { readonly token: string; readonly expiresAt: EpochMs };
  readonly allows: (token: string, revision: string) => boolean;
}

/** An empty set of permissions. */
export const previewTokens = (now: () => EpochMs, mintToken: () => string): PreviewTokens => {
  const known = new Map<string, { readonly revision: string; readonly expiresAt: EpochMs }>();
  return {
    mint: (revision) => {
      const oldest = known.keys().next();
      if (known.size >= MOST_PREVIEWS && oldest.done !== true) known.delete(oldest.value);
      const token = mintToken();
      const expiresAt = now() + PREVIEW_MS;
      known.set(token, { revision, expiresAt });
      return { token, expiresAt };
    },
    allows: (token, revision) => {
      const permission = known.get(token);
      return permission !== undefined && permission.revision === revision && now() < permission.expiresAt;
    },
  };
};
