import type { PreviewToken } from './preview-tokens.ts';
import type { DraftEvidence, ProfileDiff, ProfileReading, ProfileRisk } from './reading.ts';
import type { ProfilePreview } from './requests.ts';

/** Input of the preview of a valid profile. */
export interface PreviewInput {
  readonly reading: Extract<ProfileReading, { readonly ok: true }>;
  /** True if exactly these bytes are in the catalogue. */
  readonly saved: boolean;
  /** True if a profile of this id comes with Sconce. */
  readonly bundled: boolean;
  /** True if its match rules name this machine. */
  readonly matches: boolean;
  /** Against the active profile. */
  readonly diff: readonly ProfileDiff[];
  readonly permission: PreviewToken;
  /** Null if no probe was requested. */
  readonly evidence: readonly DraftEvidence[] | null;
}

const overriding: ProfileRisk = {
  code: 'overrides-bundled',
  detail: 'It has the id of a profile that comes with Sconce, and stands in for it while it is selected.',
};

/** The preview of an invalid profile. */
export const invalidPreview = ({ issues }: Extract<ProfileReading, { readonly ok: false }>): ProfilePreview => ({
  valid: false,
  issues,
  summary: null,
  already_saved: false,
  matches_this_device: false,
  risks: [],
  absent: [],
  diff: [],
  preview_token: null,
  preview_expires_at: null,
  evidence: null,
});

/** The preview of a valid profile. */
export function validPreview(input: PreviewInput): ProfilePreview {
  const { summary, warnings, risks, absent } = input.reading;
  const overrides = input.bundled && !risks.some(({ code }) => code === overriding.code);
  return {
    valid: true,
    issues: warnings,
    summary,
    already_saved: input.saved,
    matches_this_device: input.matches,
    risks: overrides ? [...risks, overriding] : risks,
    absent,
    diff: input.diff,
    preview_token: input.permission.token,
    preview_expires_at: input.permission.expiresAt,
    evidence: input.evidence,
  };
}
