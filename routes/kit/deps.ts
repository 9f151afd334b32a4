import type { ContentCoding } from '#machines/kit/content-coding.ts';
import type { LogReader } from '#machines/live-log/events.ts';
import type { HostFacts } from '#machines/status/host.ts';
import type { ChartNode, EventRecord } from '#machines/status/inspection.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/needs.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import type { Admission } from '#actors/kit/admission.ts';
import type { BaseFacts } from '#actors/kit/base-facts.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { PageBundles } from '#ui/parts/page-bundles.ts';
import type { Look } from '#routes/status/incremental.ts';
import type { NetworkTaps } from './network-taps.ts';

/** What the inspector shows, if the agent was started with it. */
export interface Inspection {
  /** The machine of each part, in start order. */
  readonly charts: readonly { readonly id: string; readonly root: ChartNode | null; readonly cut: boolean }[];
  /** The kept records after number `n`, oldest first. */
  readonly records: (n?: number) => readonly EventRecord[];
  /** Calls back once, at the next record; returns a function that cancels. */
  readonly onNext: (wake: () => void) => () => void;
}

/** A file that browsers load with the pages. */
export interface Asset {
  readonly type: string;
  readonly body: () => Uint8Array<ArrayBuffer>;
  /** The same file in the compressed encodings that the build keeps. */
  readonly coded: Readonly<Partial<Record<ContentCoding, () => Uint8Array<ArrayBuffer>>>>;
}

/** The status document, made once for all readers. */
export interface StatusReader {
  /** The whole document, as of one moment of the last second. */
  readonly document: () => StatusDocument;
  /** The same as JSON. */
  readonly text: () => string;
  /** The verdicts on what this panel can do, in display order. */
  readonly judged: () => readonly JudgedCapability[];
  /** Updates what has changed; what depends on the time is at most `patience` old. */
  readonly look: (patience: Milliseconds) => Look;
}

/** What the status document is made from. */
export type StatusSources = Pick<
  RouteDeps,
  'registry' | 'now' | 'elapsed' | 'startedAt' | 'version' | 'build' | 'tree' | 'rootShell' | 'inspection'
>;

/** The parts for requests that wait for the first start and ignore later restarts. */
export interface StartedParts {
  readonly areStarted: () => boolean;
  /** Resolves when they are started, or after the bound. */
  readonly whenStarted: (boundMs: Milliseconds) => Promise<void>;
}

/** What the routes are given: the actors by name, and nothing that could do I/O. */
export interface RouteDeps {
  readonly registry: Registry;
  /** Decides if a protected request may proceed. */
  readonly admission: Pick<Admission, 'asks' | 'admit' | 'admitClosed'>;
  readonly status: StatusReader;
  /** Tells if settings, identity and profile were up once, and their last known facts. */
  readonly base: Pick<BaseFacts, 'known' | 'whenKnown'>;
  /** Tells if every part was started once; most start only after the pages. */
  readonly parts: StartedParts;
  /** The supervision tree as of now. */
  readonly tree: () => TreeNode;
  /** Retries a parked part of that id now. */
  readonly revive: (id: string) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly startedAt: number;
  /** Tells if the panel was tapped from the network recently. */
  readonly networkTaps: NetworkTaps;
  /** Assets of the pages by file name. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** What each page is sent for its scripts, as the build determined. */
  readonly bundles: PageBundles;
  /** Eight hex digits that change with each build. */
  readonly build: string;
  readonly version: string;
  /** True if the active profile is the simulated panel. */
  readonly simulated: boolean;
  /** What the inspector shows; null without `--inspect`. */
  readonly inspection: Inspection | null;
  /** The facts of the machine and of this start in `/api/v1/diag`, as of the first call. */
  readonly host: () => HostFacts;
  /** True if each answer is parsed by its own schema before it is sent; for tests. */
  readonly verifyAnswers: boolean;
  /** Called with a failure inside a handler; the caller never sees it. */
  readonly report: (failure: unknown) => void;
  /** True once shutdown has begun: admissions are closed. */
  readonly stopping: () => boolean;
  /** The newest lines of the log, redacted. */
  readonly logs: LogReader;
  /** Removes from a text what the log redacts: known secrets, and credentials recognised by their form. */
  readonly scrub: (text: string) => string;
  /** True if the agent was started in a root shell, where commands need no `sudo`. */
  readonly rootShell: boolean;
  /** Names that the operating system has for this machine and its user, to be removed from what leaves the panel. */
  readonly ownNames: () => readonly string[];
}
