import type { z } from 'zod';

import type { ActorId, AnyActor, ContextOf } from './actors.ts';
import type { ActorInterface, TellEventOf } from './kit/actor.ts';
import type { Capability } from './kit/capability.ts';
import type { EntityRow } from './kit/entity.ts';
import type { HistoryKind, HistoryRow, HistoryTopic } from './kit/history-event.ts';
import { once } from './kit/once.ts';
import type { OperationRow } from './kit/operation.ts';
import type { RunsWhile } from './kit/runs-while.ts';
import type { SettingGroup, SettingRule } from './kit/setting.ts';
import type { SnapshotView } from './kit/snapshot.ts';
import type { TreeNode } from './kit/status.ts';
import type { EpochMs, Milliseconds } from './kit/units.ts';

/** A group of the supervision tree; a manifest declares it, for its own actors and those of others. */
export interface SupervisionGroup {
  readonly id: string;
  /** The parent group, in which it starts in the order of its actors; root if absent. */
  readonly within?: string;
  /**
   * For a group right under root, the one that starts right before it; null for the first, and within another group.
   */
  readonly after: string | null;
  /** `rest_for_one`: what starts later depends on what starts earlier, and restarts with it. */
  readonly strategy: 'one_for_one' | 'rest_for_one';
  /** `escalate` for what the agent cannot live without; everything else is parked and retried. */
  readonly onGiveUp: 'escalate' | 'park';
  /** How long a part that crashed too often stays down before it is retried; 15 minutes if absent. */
  readonly parkRetryMs?: Milliseconds;
}

/**
 * Panels on which actors run that neither fill a slot of a profile nor run on every panel: the simulated one,
 * Android, panels that are announced on the network, panels whose screens nothing else would light again, panels that
 * may have a camera, a microphone, or either of them.
 */
export type RunsOn = 'simulated' | 'android' | 'announced' | 'unattended' | 'filming' | 'listening' | 'indicating';

/** A group of operations in the OpenAPI document; a manifest declares it, for its own routes and those of others. */
export interface ApiTag {
  readonly id: string;
  /** What its operations are about, one sentence. */
  readonly about: string;
  /** The tag that is listed right before it; null for the first. */
  readonly after: string | null;
}

/** Facts of the whole agent that change independently of any actor's facts. */
export interface Ambient {
  readonly now: EpochMs;
  /** The same moment on the monotonic clock of this process. */
  readonly elapsed: Milliseconds;
  /** The current supervision tree. */
  readonly tree: TreeNode;
  /** Every supervised actor, running or not, in start order. */
  readonly supervised: readonly ActorId[];
}

/**
 * Input of a projection: public facts of the actors in its `reads`, the ambient facts in its `uses`, and what is
 * constant for a whole run.
 */
export type ProjectionInput<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> = Pick<Ambient, U> & {
  /** Current public facts of an actor; undefined while it is absent. */
  readonly read: <R extends I>(id: R) => ContextOf<R> | undefined;
  /** The same with the actor's state, for facts derived from it. */
  readonly view: <R extends I>(id: R) => SnapshotView<ContextOf<R>> | undefined;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
  /** Version of this agent, semantic versioning. */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
};

/** The sources of a projection; it is only computed again once they have changed. */
interface Sources<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> {
  /** The actors whose facts it reads: the compiler admits no other, and a test refuses unused ones. */
  readonly reads: readonly I[];
  /** The ambient facts it reads, if any; checked in the same way. */
  readonly uses?: readonly U[];
}

/** Fields of the status document that a subsystem provides. */
export interface StatusSection<
  I extends ActorId = ActorId,
  S extends z.core.$ZodShape = z.core.$ZodShape,
  U extends keyof Ambient = keyof Ambient,
> extends Sources<I, U> {
  /** The fields with their schemas, made when they are first needed. */
  readonly shape: () => S;
  /** The current values of these fields. */
  readonly view: (input: ProjectionInput<I, U>) => { readonly [K in keyof S]: z.output<S[K]> };
}

/** Keeps the types of a section: the projection compiles only with its listed sources and its schema. */
export const statusSection = <
  const I extends ActorId,
  S extends z.core.$ZodShape,
  const U extends keyof Ambient = never,
>(
  section: StatusSection<I, S, U>,
): StatusSection<I, S, U> => ({ ...section, shape: once(section.shape) });

/** Lines of text that a subsystem provides, with their place among all lines. */
export interface TextLines<I extends ActorId = ActorId, U extends keyof Ambient = keyof Ambient> extends Sources<I, U> {
  /** Its stable name, which later lines refer to. */
  readonly key: string;
  /** The lines that these come right after; null for the most serious. */
  readonly after: string | null;
  /** The current lines; empty if there are none. */
  readonly lines: (input: ProjectionInput<I, U>) => readonly string[];
}

/** Keeps the types of lines: they compile only with the sources that are listed. */
export const textLines = <const I extends ActorId, const U extends keyof Ambient = never>(
  lines: TextLines<I, U>,
): TextLines<I, U> => lines;

/**
 * How a stored section travels with a backup: `configuration` to any panel, key by key; `panel` back to the machine
 * that it is from; `never`.
 */
export type Travel = 'configuration' | 'panel' | 'never';

/** Everything that the rest of the agent must know about a subsystem; each one's `index.ts` exports it. */
export interface Manifest<A extends ActorInterface = AnyActor> {
  /** Registry ids in start order; none for a subsystem without an actor. */
  readonly ids: readonly A['id'][];
  /** The group that supervises its actors, by an id that a manifest declares; null without actors. */
  readonly group: string | null;
  /** Groups of the supervision tree that it declares. */
  readonly supervisionGroups?: readonly SupervisionGroup[];
  /** Groups of operations that it declares. */
  readonly tags?: readonly ApiTag[];
  /** Where its actors run; if absent, on every panel, or where a slot of its profile is filled. */
  readonly runsOn?: RunsOn;
  /** Settings that turn its actors on and off, in a group that is `one_for_one`; without it they always run. */
  readonly runsWhile?: RunsWhile<A['context']>;
  /** Event that makes an actor probe again when a person checks again. */
  readonly probe?: TellEventOf<A>;
  /** Its settings, and one of the settings that come before them; null for the first. */
  readonly settings?: {
    readonly after: string | null;
    readonly object: z.ZodObject<Readonly<Record<string, z.ZodType>>>;
  };
  /** Rules over several of its settings. */
  readonly settingRules?: readonly SettingRule[];
  /** Groups of settings that it declares; each is declared once and open to the settings of every subsystem. */
  readonly settingGroups?: readonly SettingGroup[];
  /** Its rows of the catalogue of entities. */
  readonly entities?: readonly EntityRow<AnyActor>[];
  /** What the panel can do through it, each with its verdict. */
  readonly capabilities?: readonly Capability<ActorId>[];
  /** Its fields of the status document. */
  readonly status?: StatusSection;
  /** Sentences for the warnings of the status document, most serious first. */
  readonly warnings?: readonly TextLines[];
  /** Kinds of the history that it declares; each is declared once. */
  readonly historyKinds?: readonly HistoryTopic[];
  /** The entries that the history keeps about it. */
  readonly history?: readonly HistoryRow<ActorId>[];
  /** Kinds of the history that the agent itself reports, so that no actor is watched for them. */
  readonly agentHistory?: readonly HistoryKind[];
  /**
   * Sections of the durable document that it alone writes, and how each travels: the owner's choices, and what rarely
   * changes.
   */
  readonly sections?: Readonly<Record<string, Travel>>;
  /**
   * Stored sections that it alone writes and that change without the owner, and how each travels: each has a separate
   * file, so that no change rewrites the settings.
   */
  readonly sectionFiles?: Readonly<Record<string, Travel>>;
  /**
   * Operations that it declares and that need a person in front of the panel, by their stable names; routes, entities
   * and settings of every subsystem refer to them.
   */
  readonly operations?: Readonly<Record<string, OperationRow>>;
  /** Codes of refusals that only its routes answer with, and their HTTP status. */
  readonly problems?: Readonly<Record<string, number>>;
}

/** The manifest of a subsystem whose actors have the interface `A`; `part` checks it against the logic that runs. */
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
