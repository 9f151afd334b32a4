import type { EpochMs } from '../kit/units.ts';
import type { ProfileRef, ProfileSelection } from './activation.ts';
import type { CatalogRefusal } from './admit.ts';
import type { DraftEvidence, ProfileDiff, ProfileIssue, ProfileRisk, ProfileSummary } from './reading.ts';

/** What a preview came to; nothing was changed by it. */
export interface ProfilePreview {
  readonly valid: boolean;
  readonly issues: readonly ProfileIssue[];
  /** Null for what cannot be read. */
  readonly summary: ProfileSummary | null;
  readonly already_saved: boolean;
  readonly matches_this_device: boolean;
  readonly risks: readonly ProfileRisk[];
  /** Capabilities that the panel would not have; empty for what is not valid. */
  readonly absent: readonly string[];
  /** Against the active profile; empty where either cannot be read. */
  readonly diff: readonly ProfileDiff[];
  /** Allows to save these very bytes until it expires; null for what is not valid. */
  readonly preview_token: string | null;
  readonly preview_expires_at: EpochMs | null;
  /** What a passive probe found for each driver; null where it was not asked for. */
  readonly evidence: readonly DraftEvidence[] | null;
}

/** A change that was refused. */
export interface ChangeRefused {
  readonly status: 'refused';
  readonly code: CatalogRefusal | 'preview-stale' | 'profile-invalid' | 'commit-failed';
  readonly message: string;
}

/** What an import came to. */
export type ImportOutcome =
  | { readonly status: 'saved'; readonly saved: boolean; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** What a selection or a rollback came to; the restart follows it. */
export type SelectOutcome =
  | { readonly status: 'scheduled'; readonly ref: ProfileRef | null; readonly catalogRevision: number }
  | ChangeRefused;

export type DeleteOutcome =
  | { readonly status: 'deleted'; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** A document that is served; null where there is none. */
export type DocumentOutcome = { readonly bytes: Uint8Array } | null;

/** Documents that the catalogue gives out. */
export type WantedDocument =
  | { readonly kind: 'schema' | 'drivers' | 'template' | 'device-draft' | 'report' }
  | ({ readonly kind: 'revision' } & ProfileRef);

/** Questions to the catalogue, each answered by one `reply`. */
export type AnyProfilesRequest =
  | { readonly kind: 'preview'; readonly bytes: Uint8Array; readonly probe: boolean }
  | { readonly kind: 'import'; readonly bytes: Uint8Array; readonly token: string }
  | {
      readonly kind: 'select';
      readonly selection: ProfileSelection;
      readonly expected: number;
      /** True if a profile for another platform is meant. */
      readonly confirmsPlatform: boolean;
    }
  | { readonly kind: 'rollback'; readonly expected: number }
  | { readonly kind: 'delete'; readonly ref: ProfileRef; readonly expected: number }
  | { readonly kind: 'document'; readonly wanted: WantedDocument };

/** What is asked while the catalogue stops is answered so, and nothing of it is done. */
export interface CatalogStopping {
  readonly status: 'stopping';
}

/** What the catalogue makes of each question. */
export interface ProfilesOutcomes {
  readonly preview: ProfilePreview;
  readonly import: ImportOutcome;
  readonly select: SelectOutcome;
  readonly rollback: SelectOutcome;
  readonly delete: DeleteOutcome;
  readonly document: DocumentOutcome;
}

/** What each question is answered with. */
export type ProfilesAnswers = { readonly [K in keyof ProfilesOutcomes]: ProfilesOutcomes[K] | CatalogStopping };
