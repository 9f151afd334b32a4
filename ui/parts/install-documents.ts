import type { JobKind, JobStatus } from '#machines/maintenance/events.ts';

/** What `/api/v1/install/status` answers. */
export interface JobDocument {
  readonly running: boolean;
  readonly message: string;
  readonly kind: JobKind | null;
  readonly ordered: boolean;
  readonly started_at?: number | undefined;
  readonly ended_at?: number | undefined;
  readonly result?: JobResultDocument | undefined;
}

export const jobParts = ['config', 'filter', 'panel', 'profiles', 'companion'] as const;
type JobPart = (typeof jobParts)[number];

interface PartDocument {
  readonly status: JobStatus;
  readonly items?: number | undefined;
  readonly detail?: string | undefined;
}

/** How an operation ended, in all and by part. */
export type JobResultDocument = { readonly status: JobStatus } & {
  readonly [part in JobPart]?: PartDocument | undefined;
};

/** A setting that a restore or an import changes; null stands for the text of a credential. */
export interface ChangeDocument {
  readonly key: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface SkippedDocument {
  readonly key: string;
  readonly message: string;
}

/** What the preview of an import answers. */
export interface ImportDocument {
  readonly expected_cfg: string;
  readonly changes: readonly ChangeDocument[];
  readonly skipped: readonly SkippedDocument[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** One item of `/api/v1/config/revisions`. */
export interface RevisionDocument {
  readonly id: number;
  /** Milliseconds since the Unix epoch, as text. */
  readonly exported_at: string;
  readonly changed: readonly string[];
}
