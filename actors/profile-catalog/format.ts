import type {
  DraftEvidence,
  ProfileDiff,
  ProfileDocument,
  ProfilePlatform,
  ProfileReading,
  ProfileSummary,
} from '#machines/profile-catalog/reading.ts';
import type { ProfileRef } from '#machines/profile-catalog/activation.ts';

/** A profile that comes with Sconce. */
export interface BundledProfile {
  readonly summary: ProfileSummary;
  readonly document: ProfileDocument;
}

/** What the catalogue knows of the format of profiles; `bin` implements it with `profiles/`. */
export interface ProfileFormat {
  /** Validates exact bytes, in bounded time and memory. */
  readonly read: (bytes: Uint8Array) => ProfileReading;
  /** The same for a saved profile: what newer rules remove from it is a warning. */
  readonly readSaved: (bytes: Uint8Array) => ProfileReading;
  readonly bundled: () => readonly BundledProfile[];
  /** The exact bytes of a bundled profile; null if there is none of that id. */
  readonly bundledBytes: (id: string) => Uint8Array | null;
  /** The bundled profile that this machine gets without a selection; null if none matches. */
  readonly matched: () => ProfileRef | null;
  /** True if a document's match rules name this machine. */
  readonly matches: (id: string, document: ProfileDocument) => boolean;
  readonly platform: (document: ProfileDocument) => ProfilePlatform;
  readonly diff: (before: ProfileDocument, after: ProfileDocument) => readonly ProfileDiff[];
  /** Probes for each driver's device without touching it. */
  readonly probe: (document: ProfileDocument) => Promise<readonly DraftEvidence[]>;
  /** JSON Schema of the format, as JSON. */
  readonly schema: () => string;
  /** The compiled drivers, as JSON. */
  readonly drivers: () => string;
  /** A starter in YAML. */
  readonly template: () => string;
  /** A draft in YAML for this machine, from passive probes alone. */
  readonly draft: () => Promise<string>;
}
