import type { ContentCoding } from '#machines/kit/content-coding.ts';
import type { LogReader } from '#machines/live-log/events.ts';
import type { HostFacts } from '#machines/status/host.ts';
import type { ChartNode, EventRecord } from '#machines/status/inspection.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { JudgedCapability } from '#machines/status/summary.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import type { BaseFacts } from '#actors/kit/base-facts.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { PageBundles } from '#ui/parts/page-bundles.ts';
import type { Look } from '#routes/status/incremental.ts';
import type { NetworkTaps } from './network-taps.ts';

/** What the inspector shows, where the agent was started with it. */
export interface Inspection {
  /** The machine of each part, in start order. */
  readonly charts: readonly { readonly id: string; readonly root: ChartNode | null; readonly cut: boolean }[];
  /** What is kept of the records after number `n`, oldest first. */
  readonly records: (n?: number) => readonly EventRecord[];
  /** Calls back once, at the next record; returns how to take that back. */
  readonly onNext: (wake: () => void) => () => void;
}

/** A file that browsers load with the pages. */
export interface Asset {
  /** Its media type. */
  readonly type: string;
  readonly body: () => Uint8Array<ArrayBuffer>;
  /** The same file in the shorter forms that the build keeps of it. */
  readonly coded: Readonly<Partial<Record<ContentCoding, () => Uint8Array<ArrayBuffer>>>>;
}

/** The status document, made once for all who read it. */
export interface StatusReader {
  /** All of it, as of one moment of the last second. */
  readonly document: () => StatusDocument;
  /** The same as JSON. */
  readonly text: () => string;
  /** The verdicts on what this panel can do, in the order in which pages show them. */
  readonly judged: () => readonly JudgedCapability[];
  /** Makes what has changed; what depends on the time is at most `patience` old. */
  readonly look: (patience: Milliseconds) => Look;
}

/** What the status document is made from. */
export type StatusSources = Pick<
  RouteDeps,
  'registry' | 'now' | 'elapsed' | 'startedAt' | 'version' | 'build' | 'tree' | 'rootShell' | 'inspection'
>;

/** The parts as a request waits for them: a start is waited for, a later restart of one is not noticed. */
export interface StartedParts {
  readonly areStarted: () => boolean;
  /** Resolves when they are started, or once the bound has passed. */
  readonly whenStarted: (boundMs: Milliseconds) => Promise<void>;
}

/** What the routes are given: the actors by name, and nothing they could do I/O with. */
export interface RouteDeps {
  readonly registry: Registry;
  readonly status: StatusReader;
  /** Whether settings, identity and profile were up once, and what was known of them last. */
  readonly base: Pick<BaseFacts, 'known' | 'whenKnown'>;
  /** Whether every part was started once; most come only after the pages. */
  readonly parts: StartedParts;
  /** The supervision tree as it is now. */
  readonly tree: () => TreeNode;
  /** Tries a parked part of that id again, now. */
  readonly revive: (id: string) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Milliseconds on the clock of this process, which nobody sets. */
  readonly elapsed: () => number;
  readonly startedAt: number;
  /** Whether the panel was tapped from the network lately. */
  readonly networkTaps: NetworkTaps;
  /** Assets of the pages by file name. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** What each page is sent for its scripts, as the build found it in them. */
  readonly bundles: PageBundles;
  /** Eight hex digits that change with each build. */
  readonly build: string;
  readonly version: string;
  /** Whether the active profile is the simulated panel. */
  readonly simulated: boolean;
  /** What the inspector shows; null without `--inspect`. */
  readonly inspection: Inspection | null;
  /** What `/api/v1/diag` says of the machine and of this start, as it was when it was first asked for. */
  readonly host: () => HostFacts;
  /** Whether each answer is parsed by its own schema before it is sent; tests do. */
  readonly verifyAnswers: boolean;
  /** Hears of a failure inside a handler; the caller never does. */
  readonly report: (failure: unknown) => void;
  /** True once shutdown has begun: admissions are closed. */
  readonly stopping: () => boolean;
  /** The newest lines of the log, redacted. */
  readonly logs: LogReader;
  /** A text without what the log keeps out of its lines: known secrets, and credentials known by their shape. */
  readonly scrub: (text: string) => string;
  /** Whether the agent was started in the shell of root, where commands need no `sudo`. */
  readonly rootShell: boolean;
  /** Names that the operating system has for this machine and its user, to be kept out of what is passed on. */
  readonly ownNames: () => readonly string[];
}
