import type { z } from 'zod';

import type { ActorId, AnyActor, ContextOf } from './actors.ts';
import type { ActorInterface, TellEventOf } from './kit/actor.ts';
import type { Capability } from './kit/capability.ts';
import type { EntityRow } from './kit/entity.ts';
import type { HistoryKind, HistoryRow, HistoryTopic } from './kit/history-event.ts';
import { once } from './kit/once.ts';
import type { RunsWhile } from './kit/runs-while.ts';
import type { SettingGroup } from './kit/setting.ts';
import type { SnapshotView } from './kit/snapshot.ts';
import type { TreeNode } from './kit/status.ts';
import type { EpochMs, Milliseconds } from './kit/units.ts';

/** A group of the supervision tree; a manifest declares it, for its own actors and those of others. */
export interface SupervisionGroup {
  readonly id: string;
  /** The group that it is a child of, started there in the order of its actors; root when absent. */
  readonly within?: string;
  /** Of a group right under root the one that starts right before it; null for the first, and within another group. */
  readonly after: string | null;
  /** `rest_for_one`: what starts later depends on what starts before, and starts anew with it. */
  readonly strategy: 'one_for_one' | 'rest_for_one';
  /** `escalate` for what the agent cannot live without; all else is parked and tried again. */
  readonly onGiveUp: 'escalate' | 'park';
  /** How long what crashed too often stays down before it is tried again; 15 minutes when absent. */
  readonly parkRetryMs?: Milliseconds;
}

/**
 * On which panels actors run that are in no slot of a profile and not on every panel: on the simulated one, on Android,
 * where the panel is announced on the network, where nothing else would light its screens again.
 */
export type RunsOn = 'simulated' | 'android' | 'announced' | 'unattended';

/** A group of operations in the OpenAPI document; a manifest declares it, for its own routes and those of others. */
export interface ApiTag {
  readonly id: string;
  /** What its operations are about, one sentence. */
  readonly about: string;
  /** The tag that is listed right before it; null for the first. */
  readonly after: string | null;
}

/** What is true of the whole agent and changes while no actor's facts do. */
export interface Ambient {
  readonly now: EpochMs;
  /** The same moment on the monotonic clock of this process. */
  readonly elapsed: Milliseconds;
  /** The supervision tree as it is now. */
  readonly tree: TreeNode;
  /** Every supervised actor, running or not, in start order. */
  readonly supervised: readonly ActorId[];
}

/**
 * What a projection is made from: public facts of the actors in its `reads`, what it says in `uses`, and what stays
 * the same for a whole run.
 */
export type ProjectionInput<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> = Pick<Ambient, U> & {
  /** Public facts of an actor now; undefined while it is absent. */
  readonly read: <R extends I>(id: R) => ContextOf<R> | undefined;
  /** The same with the actor's state, for what is derived from that. */
  readonly view: <R extends I>(id: R) => SnapshotView<ContextOf<R>> | undefined;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
  /** Version of this agent, semantic versioning. */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
};

/** What a projection is made from; it is made again only once that has changed. */
interface Sources<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> {
  /** The actors whose facts it reads: the compiler admits no other, and a test demands that none is listed in vain. */
  readonly reads: readonly I[];
  /** What it reads of the whole agent, if anything; held in the same way. */
  readonly uses?: readonly U[];
}

/** Fields of the status document that a subsystem brings. */
export interface StatusSection<
  I extends ActorId = ActorId,
  S extends z.core.$ZodShape = z.core.$ZodShape,
  U extends keyof Ambient = keyof Ambient,
> extends Sources<I, U> {
  /** The fields with their schemas, made when they are first needed. */
  readonly shape: () => S;
  /** The same fields now. */
  readonly view: (input: ProjectionInput<I, U>) => { readonly [K in keyof S]: z.output<S[K]> };
}

/** Keeps the types of a section: the projection compiles only with the sources that it lists and its schema. */
export const statusSection = <
  const I extends ActorId,
  S extends z.core.$ZodShape,
  const U extends keyof Ambient = never,
>(
  section: StatusSection<I, S, U>,
): StatusSection<I, S, U> => ({ ...section, shape: once(section.shape) });

/** Lines of text that a subsystem brings, in a place among those of all. */
export interface TextLines<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> extends Sources<I, U> {
  /** Its stable name, for what comes after it. */
  readonly key: string;
  /** The lines that these come right after; null for the gravest. */
  readonly after: string | null;
  /** The lines now; none where there is nothing to say. */
  readonly lines: (input: ProjectionInput<I, U>) => readonly string[];
}

/** Keeps the types of lines: they compile only with the sources that are listed. */
export const textLines = <const I extends ActorId, const U extends keyof Ambient = never>(
  lines: TextLines<I, U>,
): TextLines<I, U> => lines;

/** Everything that the rest of the house must know of a subsystem; each one's `index.ts` exports its own. */
export interface Manifest<A extends ActorInterface = AnyActor> {
  /** Registry ids in start order; none for a subsystem without an actor. */
  readonly ids: readonly A['id'][];
  /** The group that supervises its actors, by an id that a manifest declares; null without actors. */
  readonly group: string | null;
  /** Groups of the supervision tree that it declares. */
  readonly supervisionGroups?: readonly SupervisionGroup[];
  /** Groups of operations that it declares. */
  readonly tags?: readonly ApiTag[];
  /** Where its actors run; on every panel, or where a slot of its profile is filled, when left out. */
  readonly runsOn?: RunsOn;
  /** Settings that turn its actors on and off, in a group that is `one_for_one`; they always run when left out. */
  readonly runsWhile?: RunsWhile<A['context']>;
  /** What asks an actor to probe again when a person wants to know how it is now. */
  readonly probe?: TellEventOf<A>;
  /** Its settings, and one of the settings that stand before them; null for the first. */
  readonly settings?: {
    readonly after: string | null;
    readonly object: z.ZodObject<Readonly<Record<string, z.ZodType>>>;
  };
  /** Groups of settings that it declares; each is declared once and open to the settings of every subsystem. */
  readonly settingGroups?: readonly SettingGroup[];
  /** Its rows of the catalogue of entities. */
  readonly entities?: readonly EntityRow<AnyActor>[];
  /** What the panel can do through it, each with its verdict. */
  readonly capabilities?: readonly Capability<ActorId>[];
  /** Its fields of the status document. */
  readonly status?: StatusSection;
  /** Sentences for the warnings of the status document, the gravest first. */
  readonly warnings?: readonly TextLines[];
  /** Kinds of the history that it declares; each is declared once. */
  readonly historyKinds?: readonly HistoryTopic[];
  /** What of it the history keeps. */
  readonly history?: readonly HistoryRow<ActorId>[];
  /** Kinds of the history that the agent itself reports, so that no actor is watched for them. */
  readonly agentHistory?: readonly HistoryKind[];
  /** Sections of the durable document that it alone writes: what the owner chose, and what seldom changes. */
  readonly sections?: readonly string[];
  /**
   * Stored sections that it alone writes and that change without the owner: each has a file of its own, so that no
   * change rewrites the settings.
   */
  readonly sectionFiles?: readonly string[];
  /** Codes of refusals that only its routes answer with, and their HTTP status. */
  readonly problems?: Readonly<Record<string, number>>;
}

/** The manifest of a subsystem whose actors have the interface `A`, which `part` proves of the logic that runs. */
export type SubsystemOf<A extends ActorInterface, M> = M & {
  /** Carries `A`; never set. */
  readonly interface?: A;
};

/** Refuses fields that no manifest has, which an inferred type would let through. */
type Known<M> = Readonly<Record<Exclude<keyof M, keyof Manifest>, never>>;

/** Makes a manifest: `subsystem<ZigbeeActor>()({ ... })`, so that the interface is named and the rest is inferred. */
export const subsystem =
  <A extends ActorInterface>() =>
  <const M extends Manifest<A>>(manifest: M & Known<M>): SubsystemOf<A, M> =>
    manifest;

/** The interface of a subsystem without an actor. */
export type NoActor = { readonly id: never; readonly context: never; readonly event: never };
