import { certificateFaults } from '../kit/certificate.ts';
import type { EpochMs, Percent } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Why an announcement failed: stable codes, and all that is ever said about it. */
export const announcementRefusals = [
  // The source.
  'bad-address',
  'own-address',
  'source-on-panel',
  'name-unknown',
  'source-unreachable',
  'connect-timeout',
  'read-timeout',
  'download-timeout',
  'source-cut',
  'source-refused',
  'source-gone',
  'source-failed',
  'too-many-redirects',
  'redirect-to-http',
  'bad-redirect',
  'no-trust-store',
  ...certificateFaults,
  // What it sent.
  'too-large',
  'empty',
  'playlist',
  'not-audio',
  // This machine.
  'disk-full',
  'disk-failed',
  'no-player',
  'no-sound',
  'not-playable',
  'play-timeout',
] as const;
export type AnnouncementRefusal = (typeof announcementRefusals)[number];

/** Progress of the current announcement. */
export const announcementPhases = ['idle', 'queued', 'downloading', 'playing', 'failed'] as const;
export type AnnouncementPhase = (typeof announcementPhases)[number];

/** The target of one request. */
export interface Hop {
  readonly href: string;
  readonly secure: boolean;
  /** Host name or address; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** Containers that are played, by libavformat's names. */
export type SoundKind = 'wav' | 'mp3' | 'aac' | 'ogg' | 'flac' | 'mp4' | 'matroska' | 'aiff' | 'au';

/** Reads up to `length` bytes at `offset`; fewer at the end of the file. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** A stream of the sound system as it is now; its volume per channel in the sound system's whole numbers. */
export interface PlayingStream {
  readonly index: number;
  /** Name of the program that plays it; '' if it has none. */
  readonly program: string;
  readonly volumes: readonly number[];
}

/** A stream that was lowered: its volume per channel in the sound system's whole numbers (65536 is 100 %). */
export interface DuckedStream {
  readonly index: number;
  /** Name of the program that plays it; '' if it has none. */
  readonly program: string;
  /** Volumes before the announcement. */
  readonly was: readonly number[];
  /** Volumes requested during the announcement. */
  readonly now: readonly number[];
}

export type PlayerCommand =
  /**
   * Ends the current announcement, waits for that end, then fetches and plays this one. The address is kept nowhere
   * else.
   */
  | {
      readonly type: 'player.play';
      readonly generation: number;
      /** Null for the player's own test sound. */
      readonly url: string | null;
      readonly duckPercent: Percent;
      /**
       * Present to begin as soon as the sound is fetched: with the players that the last probe found, without another
       * one. For the answer of a turn: a person waits for it.
       */
      readonly isPrompt?: true;
    }
  /** Ends the play with this generation, if it is the current one; answered by `player.finished`. */
  | { readonly type: 'player.stop'; readonly generation: number }
  /** Makes other streams quieter from now on, whatever is played meanwhile; repeated, those that began since. */
  | { readonly type: 'player.hold-duck'; readonly duckPercent: Percent }
  /** Restores the other streams, once nothing plays. */
  | { readonly type: 'player.release-duck' }
  /** Probe for players and for a sound system (again); answered by `player.probed`. */
  | { readonly type: 'player.probe' };

/** Which players there are, and what keeps sound from being heard. */
export interface ProbedFact {
  readonly type: 'player.probed';
  /** The players that answered, best first. */
  readonly players: readonly string[];
  /** What is wrong with the sound system; null if nothing is. */
  readonly sound: Verdict | null;
}

/** Progress of the play with that generation. */
export type ProgressFact =
  | { readonly type: 'player.downloading'; readonly generation: number }
  | { readonly type: 'player.playing'; readonly generation: number }
  | { readonly type: 'player.finished'; readonly generation: number }
  | { readonly type: 'player.refused'; readonly generation: number; readonly reason: AnnouncementRefusal };

/** Reported by the player. */
export type PlayerFact = ProbedFact | ProgressFact;

export type AnnouncerEvent =
  /** Play this instead of anything queued, downloading or playing. */
  | { readonly type: 'announcement.play'; readonly url: string; readonly at: EpochMs }
  /** The same with a short sound of the panel's own, so that a person can check that the panel is audible. */
  | { readonly type: 'announcement.test'; readonly at: EpochMs }
  /**
   * Play the spoken answer of a turn, which is no announcement in the history. It replaces an earlier answer and is
   * replaced by an announcement; while one is under way, it is `ended` at once.
   */
  | { readonly type: 'announcement.reply'; readonly turn: number; readonly url: string; readonly at: EpochMs }
  /** End the answer of that turn, if it is in the lane: it is `ended` once nothing of it sounds any more. */
  | { readonly type: 'announcement.stop-reply'; readonly turn: number }
  /**
   * Everything else becomes quieter until it is released; a sound in the lane does not end it. Without a release it
   * ends 150 s after the newest of it and of the answers.
   */
  | { readonly type: 'announcer.hold-duck' }
  | { readonly type: 'announcer.release-duck' }
  /** It was held for as long as it may be. */
  | { readonly type: 'announcer.duck-overdue' }
  /** Volume of other streams during an announcement, in percent of their own; 100 leaves them alone. */
  | { readonly type: 'announcer.duck'; readonly percent: Percent }
  /** Probe for a player and a sound system now. */
  | { readonly type: 'announcer.probe' }
  | PlayerFact;

/** Public facts of the announcement player; never an address. */
export interface AnnouncerContext {
  readonly verdict: Verdict;
  /** The player that is tried first: `mpv`, `ffplay`, `gst-launch-1.0`, `simulated`; null while none is known. */
  readonly player: string | null;
  readonly phase: AnnouncementPhase;
  /** Why the last announcement failed; null in every other phase. */
  readonly reason: AnnouncementRefusal | null;
  /** Incremented with every accepted announcement; facts of another generation are late and dropped. */
  readonly generation: number;
  /** When the newest announcement was accepted; null before the first. */
  readonly startedAt: EpochMs | null;
  /**
   * The newest answer of a turn, which is in the lane like an announcement but is none: it changes neither `phase`,
   * `reason`, `generation` nor `startedAt`. Null before the first.
   */
  readonly reply: ReplyProgress | null;
}

/** Progress of the answer of one turn. */
export interface ReplyProgress {
  readonly turn: number;
  /** `ended`: played, stopped or replaced. */
  readonly phase: 'queued' | 'downloading' | 'playing' | 'ended' | 'failed';
  /** Why it failed; null in every other phase. */
  readonly reason: AnnouncementRefusal | null;
}

export interface AnnouncerActor {
  readonly id: 'announcer';
  readonly context: AnnouncerContext;
  readonly event: Extract<
    AnnouncerEvent,
    {
      readonly type:
        | 'announcement.play'
        | 'announcement.test'
        | 'announcement.reply'
        | 'announcement.stop-reply'
        | 'announcer.hold-duck'
        | 'announcer.release-duck'
        | 'announcer.probe';
    }
  >;
}
