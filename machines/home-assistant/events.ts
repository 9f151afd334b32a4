import type { HomeLife } from '../companion/events.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { AssistFact } from '../voice/events.ts';
import type { RouteFamily } from '../path-probe/events.ts';
import type { Lifecycle, Running } from './lifecycle.ts';
import type { PathSample } from './network.ts';
import type { Reading, Topic } from './readings.ts';

export type {
  Area,
  AreaPresence,
  AssistPipeline,
  Dashboard,
  Device,
  Floor,
  LightSensor,
  OwnDevice,
  PresenceSensor,
  Reading,
  RecordedLight,
  RegisteredEntity,
  Topic,
} from './readings.ts';

/** Traffic of the states of some entities, counted after their initial states. */
export interface TrafficSample {
  /** Messages, and their bytes below; a page allows several messages per frame. */
  readonly frames: number;
  readonly bytes: number;
  /** Duration of the sample. */
  readonly ms: Milliseconds;
}

/** One turn of Assist, from speech-to-text to the spoken answer. */
export interface AssistTurn {
  readonly turn: number;
  /** Null for the preferred one. */
  readonly pipelineId: string | null;
  /** Id of this panel's device in Home Assistant; null for none. */
  readonly deviceId: string | null;
  readonly conversationId: string | null;
}

/** Why a connection to Home Assistant is needed; values in the status document. */
export const reasons = ['lifecycle', 'registry', 'entity', 'request'] as const;
export type Reason = (typeof reasons)[number];

/** In what way Home Assistant sent more than a panel accepts; the panel then backs off for a while. */
export type ExcessCode = 'message-too-large' | 'message-too-deep' | 'message-too-many' | 'message-flood';

/** Stored record of a Home Assistant that sent too much. */
export interface Excess {
  readonly code: ExcessCode;
  /** Times in a row. */
  readonly count: number;
  /** When the panel retries. */
  readonly until: EpochMs;
}

/** The parameters of one connection attempt. */
export interface ConnectionInput {
  /** Number of the attempt; every fact has it, so that a late one is recognised. */
  readonly generation: number;
  /** True to request a newer token than the one that was just refused. */
  readonly forceToken: boolean;
}

/** Commands for the driver of one connection. */
export type ConnectionCommand =
  /** Watch exactly these topics; the watch on any other one ends. */
  | { readonly type: 'socket.watch'; readonly topics: readonly Topic[] }
  /** Report these topics again, which are watched already. */
  | { readonly type: 'socket.renew'; readonly topics: readonly Topic[] }
  /** Read one topic once; answered by one `socket.answered`. */
  | { readonly type: 'socket.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Count the traffic of these entities' states, null for all; answered by one `socket.sampled`. At most 30 s, one at a
   * time.
   */
  | {
      readonly type: 'socket.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /** Begin one turn of Assist; reported by `socket.turn`. Its samples and words go through the turn's channel. */
  | ({ readonly type: 'socket.begin-turn' } & AssistTurn)
  /** End that turn at once; nothing more is reported of it. */
  | { readonly type: 'socket.cancel-turn'; readonly turn: number }
  /** Ask Home Assistant whether it is running; answered by `socket.running`, or not at all. */
  | { readonly type: 'socket.ask-running' };

/** Facts from the driver of one connection: `generation` as in its input, `at` on a monotonic clock. */
export type ConnectionFact =
  | {
      readonly type: 'socket.live';
      readonly generation: number;
      readonly at: Milliseconds;
      readonly running: Running;
      /** True if Home Assistant sends its events to this account: to administrators only. */
      readonly hearsEvents: boolean;
      readonly family: RouteFamily;
    }
  | {
      readonly type: 'socket.ended';
      readonly generation: number;
      /**
       * `auth-invalid`, `no-answer`, `not-let-in`, `closed-in-order`, `closed`, otherwise a system code; never a
       * message.
       */
      readonly code: string;
      readonly at: Milliseconds;
    }
  /** The connection was closed because Home Assistant sent too much. */
  | {
      readonly type: 'socket.overrun';
      readonly generation: number;
      readonly code: ExcessCode;
      readonly at: Milliseconds;
      readonly moment: EpochMs;
    }
  /**
   * One ping: `answeredMs` is its round trip, null if no answer came before the next was due. `otherFrames` is true if
   * anything else arrived meanwhile: a late answer, a ping of the server, a part of a message.
   */
  | {
      readonly type: 'socket.probed';
      readonly generation: number;
      readonly answeredMs: Milliseconds | null;
      readonly otherFrames: boolean;
      readonly at: Milliseconds;
    }
  | { readonly type: 'socket.turn'; readonly generation: number; readonly fact: AssistFact }
  | { readonly type: 'socket.running'; readonly generation: number; readonly running: Running }
  /** Home Assistant sent an event that it is stopping, starting or has started. */
  | {
      readonly type: 'socket.notice';
      readonly generation: number;
      readonly notice: 'stopping' | 'starting' | 'started';
    }
  | { readonly type: 'socket.read-out'; readonly generation: number; readonly reading: Reading }
  | {
      readonly type: 'socket.answered';
      readonly generation: number;
      readonly requestId: string;
      /** Null if Home Assistant refused it, or gave no valid answer in time. */
      readonly reading: Reading | null;
    }
  | {
      readonly type: 'socket.sampled';
      readonly generation: number;
      readonly requestId: string;
      /** Null if Home Assistant refused it or did not begin in time, or if another sample runs. */
      readonly sample: TrafficSample | null;
    };

/** Facts from the followers of other parts. */
export type NeedsFact =
  | {
      readonly type: 'needs.changed';
      /** True while there is a credential that was not refused. */
      readonly credential: boolean;
      /** Incremented whenever the credential changes. */
      readonly revision: number;
      /** True if the built-in renderer shows the dashboard (contract, "Health line", `ha`). */
      readonly lifecycle: boolean;
      /** True if the entities go through its own integration, which then tells the lifecycle. */
      readonly native: boolean;
    }
  /** What its own integration says of its life; again whenever it changes. */
  | { readonly type: 'native.observed'; readonly life: HomeLife }
  /** Home Assistant's will or birth message arrived from the broker. */
  | { readonly type: 'will.observed'; readonly online: boolean };

/** Command for the store: keep this record. */
export interface ExcessCommand {
  readonly type: 'excess.keep';
  readonly excess: Excess;
}

/**
 * Fact from the store: at the start, and whenever the address of Home Assistant changes, with null for a new address.
 */
export interface ExcessFact {
  readonly type: 'excess.recalled';
  readonly excess: Excess | null;
}

export interface Unanswered {
  readonly ok: false;
  /** `signed-out`: no credential, or a refused one. `busy`: too many requests wait, or another sample runs. */
  readonly reason: 'signed-out' | 'unreachable' | 'busy';
}
/** Answer to `home-assistant.read`; `no-answer` if Home Assistant refused it or did not answer in time. */
export type ReadOutcome =
  | { readonly ok: true; readonly reading: Reading }
  | Unanswered
  | { readonly ok: false; readonly reason: 'no-answer' };
/** Answer to `home-assistant.sample`. */
export type SampleOutcome = { readonly ok: true; readonly sample: TrafficSample } | Unanswered;

/** Events for the connection to Home Assistant (registry id `home-assistant`). */
export type HomeAssistantEvent =
  /**
   * Replaces the topics of `watcher`; an empty list ends the watch. Each topic is emitted as `home-assistant.read-out`
   * at once, even if it is watched already, after each change, and again with every connection.
   */
  | { readonly type: 'home-assistant.watch'; readonly watcher: string; readonly topics: readonly Topic[] }
  /** Reads one topic once; answered with a `ReadOutcome`. */
  | { readonly type: 'home-assistant.read'; readonly requestId: string; readonly topic: Topic }
  /**
   * Counts the traffic of these entities' states, null for all, for `ms`, at most 30,000; answered with a
   * `SampleOutcome`.
   */
  | {
      readonly type: 'home-assistant.sample';
      readonly requestId: string;
      readonly entityIds: readonly string[] | null;
      readonly ms: Milliseconds;
    }
  /**
   * Begins one turn of Assist, and ends another one; without a live connection `assist.failed` (`unavailable`,
   * `signed-out`) is emitted at once, and as soon as the connection is lost.
   */
  | ({ readonly type: 'home-assistant.begin-turn' } & AssistTurn)
  | { readonly type: 'home-assistant.cancel-turn'; readonly turn: number }
  /** Retries at once with a Home Assistant that sent too much. */
  | { readonly type: 'home-assistant.retry' };

/** Emitted for watchers. */
export type HomeAssistantEmitted =
  | { readonly type: 'home-assistant.read-out'; readonly reading: Reading }
  /** What becomes of the turn that was begun last. */
  | { readonly type: 'home-assistant.turn'; readonly fact: AssistFact };

export type HomeAssistantMachineEvent = HomeAssistantEvent | ConnectionFact | NeedsFact | ExcessFact;

export type HomeAssistantMachineEmitted = HomeAssistantEmitted | ReplyEvent<ReadOutcome | SampleOutcome>;

/** Public facts of the connection: no address, no token, no name. */
export interface HomeAssistantContext {
  /** Samples of the path to Home Assistant in the last five minutes, while a connection is held. */
  readonly samples: readonly PathSample[];
  /** When the last ping was answered, on the clock of the samples; null before the first. */
  readonly lastAnsweredAt: Milliseconds | null;
  /** When the connection was made or its last ping ended, whichever is later; null before the first. */
  readonly lastProbedAt: Milliseconds | null;
  /** True if the connection was live since it is needed: a lost one is being re-established. */
  readonly established: boolean;
  /** True for the first three minutes of the agent: samples are discarded, and there is no verdict. */
  readonly settling: boolean;
  /** Null while restarts are not watched, and until Home Assistant has answered once. */
  readonly lifecycle: Lifecycle | null;
  readonly reasons: readonly Reason[];
  /** The live connection: its number and its address family; null without one. */
  readonly route: { readonly number: number; readonly family: RouteFamily } | null;
  /** Unanswered pings since the agent started: each triggers a probe of the path. */
  readonly missed: number;
  /** Connections that ended or were refused since the agent started: the credential may be revoked. */
  readonly doubts: number;
  /** Stable code of the last failure; null while it is live. */
  readonly failure: string | null;
  /** The last time that Home Assistant sent too much; null if it never did. */
  readonly excess: Excess | null;
  /** True while the panel backs off because of that; the end may have passed while nothing needed a connection. */
  readonly isParked: boolean;
}

export interface HomeAssistantActor {
  readonly id: 'home-assistant';
  readonly context: HomeAssistantContext;
  readonly event: HomeAssistantEvent;
  readonly asks: { readonly 'home-assistant.read': ReadOutcome; readonly 'home-assistant.sample': SampleOutcome };
  readonly emitted: HomeAssistantEmitted;
}
