import { certificateFaults } from '../kit/certificate.ts';
import type { EpochMs, Percent } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Why an announcement came to nothing; stable codes, the only thing that is ever said of it. */
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

/** How the one announcement stands. */
export const announcementPhases = ['idle', 'queued', 'downloading', 'playing', 'failed'] as const;
export type AnnouncementPhase = (typeof announcementPhases)[number];

/** Where a request goes. */
export interface Hop {
  readonly href: string;
  readonly secure: boolean;
  /** Name or address, an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** The containers that are played, by the names that libavformat gives them. */
export type SoundKind = 'wav' | 'mp3' | 'aac' | 'ogg' | 'flac' | 'mp4' | 'matroska' | 'aiff' | 'au';

/** Reads up to `length` bytes at `offset`; fewer where the file ends. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** A stream of the sound system as it is now; its volume per channel in the sound system's own whole numbers. */
export interface PlayingStream {
  readonly index: number;
  /** Name of the program that plays it; '' where it gives none. */
  readonly program: string;
  readonly volumes: readonly number[];
}

/** A stream that was made quieter: its volume per channel in the sound system's own whole numbers (65536 is 100 %). */
export interface DuckedStream {
  readonly index: number;
  /** Name of the program that plays it; '' where it gives none. */
  readonly program: string;
  /** Before. */
  readonly was: readonly number[];
  /** What was asked for meanwhile. */
  readonly now: readonly number[];
}

/** What the player is told. */
export type PlayerCommand =
  /** Ends what goes on at once, waits for its end, then fetches and plays this. The address is kept nowhere else. */
  | {
      readonly type: 'player.play';
      readonly generation: number;
      /** Null for the test sound of the player's own. */
      readonly url: string | null;
      readonly duckPercent: Percent;
    }
  /** Probe for players and for a sound system (again); answered by `player.probed`. */
  | { readonly type: 'player.probe' };

/** What plays, and what is missing to be heard. */
export interface ProbedFact {
  readonly type: 'player.probed';
  /** The players that answered, best first. */
  readonly players: readonly string[];
  /** What is wrong with the sound system; null where nothing is. */
  readonly sound: Verdict | null;
}

/** How far the announcement of that generation has come. */
export type ProgressFact =
  | { readonly type: 'player.downloading'; readonly generation: number }
  | { readonly type: 'player.playing'; readonly generation: number }
  | { readonly type: 'player.finished'; readonly generation: number }
  | { readonly type: 'player.refused'; readonly generation: number; readonly reason: AnnouncementRefusal };

/** What the player reports. */
export type PlayerFact = ProbedFact | ProgressFact;

export type AnnouncerEvent =
  /** Play this instead of whatever is queued, downloading or playing. */
  | { readonly type: 'announcement.play'; readonly url: string; readonly at: EpochMs }
  /** The same with a short sound of the panel's own, so that a person hears whether it can be heard. */
  | { readonly type: 'announcement.test'; readonly at: EpochMs }
  /** How loud other streams go on while it speaks, in percent of their own volume; 100 leaves them alone. */
  | { readonly type: 'announcer.duck'; readonly percent: Percent }
  /** Probe for a player and a sound system at once. */
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
  /** Raised by one with every accepted announcement; facts of another generation are late and dropped. */
  readonly generation: number;
  /** When the newest announcement was accepted; null before the first. */
  readonly startedAt: EpochMs | null;
}

/** What the actor of the announcement player shows to the rest of the house. */
export interface AnnouncerActor {
  readonly id: 'announcer';
  readonly context: AnnouncerContext;
  readonly event: Extract<
    AnnouncerEvent,
    { readonly type: 'announcement.play' | 'announcement.test' | 'announcer.probe' }
  >;
}
