import type { EpochMs } from '../kit/units.ts';
import type { ProfileRef, ProfileSelection } from './activation.ts';
import type { CatalogRefusal } from './admit.ts';
import type { DraftEvidence, ProfileDiff, ProfileIssue, ProfileRisk, ProfileSummary } from './reading.ts';

/** The result of a preview, which changes nothing. */
export interface ProfilePreview {
  readonly valid: boolean;
  readonly issues: readonly ProfileIssue[];
  /** Null if the profile is invalid. */
  readonly summary: ProfileSummary | null;
  readonly already_saved: boolean;
  readonly matches_this_device: boolean;
  readonly risks: readonly ProfileRisk[];
  /** Capabilities that the panel would not have; empty if invalid. */
  readonly absent: readonly string[];
  /** Against the active profile; empty if either cannot be read. */
  readonly diff: readonly ProfileDiff[];
  /** Permits saving exactly these bytes until it expires; null if invalid. */
  readonly preview_token: string | null;
  readonly preview_expires_at: EpochMs | null;
  /** Results of a passive probe of each driver; null if not requested. */
  readonly evidence: readonly DraftEvidence[] | null;
}

export interface ChangeRefused {
  readonly status: 'refused';
  readonly code: CatalogRefusal | 'preview-stale' | 'profile-invalid' | 'operation-busy' | 'commit-failed';
  readonly message: string;
}

export type ImportOutcome =
  | { readonly status: 'saved'; readonly saved: boolean; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** The result of a selection or a rollback; a restart follows. */
export type SelectOutcome =
  | { readonly status: 'scheduled'; readonly ref: ProfileRef | null; readonly catalogRevision: number }
  | ChangeRefused;

export type DeleteOutcome =
  | { readonly status: 'deleted'; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** The bytes of a document; null if it does not exist. */
export type DocumentOutcome = { readonly bytes: Uint8Array } | null;

/** Documents that the catalogue serves. */
export type WantedDocument =
  | { readonly kind: 'schema' | 'drivers' | 'template' | 'device-draft' | 'report' }
  | ({ readonly kind: 'revision' } & ProfileRef);

/** A change of the profile that the panel runs with. */
export type ActivationRequest =
  | {
      readonly kind: 'select';
      readonly selection: ProfileSelection;
      readonly expected: number;
      /** True to accept a profile for another platform. */
      readonly confirmsPlatform: boolean;
    }
  | { readonly kind: 'rollback'; readonly expected: number };

/** If such a change would be made now; `ref` is the revision, null for the one that matches. */
export type JudgedActivation = { readonly status: 'possible'; readonly ref: ProfileRef | null } | ChangeRefused;

/** Requests to the catalogue, each answered by one `reply`. */
export type AnyProfilesRequest =
  | { readonly kind: 'preview'; readonly bytes: Uint8Array; readonly probe: boolean }
  | { readonly kind: 'import'; readonly bytes: Uint8Array; readonly token: string }
  | ActivationRequest
  /** Changes nothing. */
  | { readonly kind: 'judge'; readonly change: ActivationRequest }
  | { readonly kind: 'delete'; readonly ref: ProfileRef; readonly expected: number }
  | { readonly kind: 'document'; readonly wanted: WantedDocument };

/** The answer to a request while the catalogue stops; nothing is done. */
export interface CatalogStopping {
  readonly status: 'stopping';
}

/** The result of each kind of request. */
export interface ProfilesOutcomes {
  readonly preview: ProfilePreview;
  readonly import: ImportOutcome;
  readonly judge: JudgedActivation;
  readonly select: SelectOutcome;
  readonly rollback: SelectOutcome;
  readonly delete: DeleteOutcome;
  readonly document: DocumentOutcome;
}

/** The answer to each kind of request. */
export type ProfilesAnswers = { readonly [K in keyof ProfilesOutcomes]: ProfilesOutcomes[K] | CatalogStopping };
