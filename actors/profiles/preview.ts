import { sameRef } from '#machines/profiles/activation.ts';
import type { ProfilePreview, ProfilesBoot } from '#machines/profiles/asks.ts';
import type { ProfileReading, ProfileRisk } from '#machines/profiles/events.ts';

import type { ProfileFormat } from './format.ts';
import type { ProfileShelf } from './shelf.ts';
import type { PreviewTokens } from './tokens.ts';

/** What a preview is made with. */
export interface PreviewDeps {
  readonly format: ProfileFormat;
  readonly boot: ProfilesBoot;
  readonly shelf: ProfileShelf;
  readonly tokens: PreviewTokens;
}

const nothingOf = (reading: Extract<ProfileReading, { ok: false }>): ProfilePreview => ({
  valid: false,
  issues: reading.issues,
  summary: null,
  already_saved: false,
  matches_this_device: false,
  risks: [],
  diff: [],
  preview_token: null,
  preview_expires_at: null,
  evidence: null,
});

const overriding: ProfileRisk = {
  code: 'overrides-bundled',
  detail: 'It has the id of a profile that comes with Sconce, and stands in for it while it is selected.',
};

/** What these bytes would be; nothing is saved, started or touched by it. */
export const previewProfile = async (
  { format, boot, shelf, tokens }: PreviewDeps,
  { bytes, look }: { readonly bytes: Uint8Array; readonly look: boolean },
): Promise<ProfilePreview> => {
  const reading = format.read(bytes);
  if (!reading.ok) return nothingOf(reading);
  const { summary, document, warnings, risks } = reading;
  const before = boot.active === null ? null : await shelf.read(boot.active);
  const permission = tokens.mint(summary.revision);
  const stands =
    shelf.bundled().some(({ id }) => id === summary.id) && !risks.some(({ code }) => code === overriding.code);
  return {
    valid: true,
    issues: warnings,
    summary,
    already_saved: shelf.local().some((one) => sameRef(one, summary)),
    matches_this_device: format.matches(summary.id, document),
    risks: stands ? [...risks, overriding] : risks,
    diff: before === null ? [] : format.diff(before.document, document),
    preview_token: permission.token,
    preview_expires_at: permission.expiresAt,
    evidence: look ? await format.look(document) : null,
  };
};
