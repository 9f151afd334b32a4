import type { WithdrawOutcome } from '../publisher/events.ts';
import type { CompanionFacts } from './facts.ts';
import { withHappened } from './facts.ts';
import {
  type Cause,
  type KeptMove,
  type Move,
  type MoveCode,
  type MoveList,
  type MoveOutcome,
  type MoveRequest,
  type MoveStep,
  noMemory,
  type Surface,
} from './move.ts';
import { notesOf, sentenceOf } from './move-words.ts';

type Change = Partial<CompanionFacts>;

/** The result of the withdrawal; `absent` if no publisher runs. */
export type Withdrawn =
  | Exclude<WithdrawOutcome, { readonly status: 'left' }>
  | (Omit<Extract<WithdrawOutcome, { readonly status: 'left' }>, 'reason'> & {
      readonly reason: 'away' | 'busy' | 'silent' | 'absent';
    });

const leftCodes = {
  away: 'broker-away',
  busy: 'publisher-busy',
  silent: 'broker-silent',
  absent: 'publisher-busy',
} as const satisfies Record<string, MoveCode>;

const move = (to: Surface, cause: Cause): Move => ({
  to,
  cause,
  requestId: null,
  dryRun: false,
  leave: false,
  isPrepared: false,
  list: null,
  topics: [],
});

const begun = (one: Move): Change => ({ move: one, moving: { to: one.to, step: 'prepare' }, owed: null });

/** The move that a person asked for. */
export const requested = ({ to, requestId, dryRun, leave }: MoveRequest): Change =>
  begun({ ...move(to, 'person'), requestId, dryRun, leave });

/**
 * The move to the surface that the settings name, as after a save of the setting. It goes on with what a kill
 * interrupted: Home Assistant keeps the owner's choices since then.
 */
export function followed({ wanted, memory }: CompanionFacts): Change {
  const to = wanted ?? 'mqtt';
  const kept = memory?.moving?.to === to ? memory.moving : null;
  return begun({ ...move(to, 'setting'), leave: kept?.leave === true, isPrepared: kept !== null });
}

export const wantedAtHome = ({ to }: { readonly to: Surface }): Change => begun(move(to, 'home'));

/** Back to the broker, since no Home Assistant is paired any more. */
export const abandoned: Change = { ...begun(move('mqtt', 'keys')), hadClients: false };

/** A move whose surface is in force already, after a restart: only the owner's choices are open. */
export function resumed({ memory }: CompanionFacts): Change {
  const to = memory?.surface ?? 'mqtt';
  return { surface: to, move: { ...move(to, 'setting'), isPrepared: true }, moving: { to, step: 'apply' } };
}

/**
 * The facts once the stored section and the setting are known. What was not committed is taken back; the store keeps it
 * until Home Assistant was told.
 */
export function recalled({ memory, wanted }: CompanionFacts): Change {
  const { surface, moving, offered } = memory ?? noMemory;
  if (moving === null || moving.to === wanted) return { surface };
  return { surface, owed: moving.to, memory: { surface, offered, moving: null } };
}

/** True if the step that a kill interrupted goes on: its surface is in force, or its setting was saved. */
export const isToApply = ({ memory, wanted }: CompanionFacts): boolean =>
  memory?.moving?.step === 'apply' && memory.surface === wanted && memory.moving.to === wanted;
/** True if Home Assistant released its entities, and the setting was saved, before the kill. */
export const isReleased = ({ memory, wanted }: CompanionFacts): boolean =>
  memory?.surface === 'native' && memory.moving?.step === 'release' && wanted === 'mqtt';

/** The move that such a kill interrupted. */
export const released = ({ move: one, surface }: CompanionFacts): Change => ({
  move: one === null ? null : { ...one, isPrepared: true },
  // Not yet that of the setting: it arrives.
  surface,
  owed: null,
});

/** True if a failed step does not end it: the setting is saved, or no key is left. */
export const isForced = ({ move: one }: CompanionFacts): boolean =>
  one?.cause === 'setting' || one?.cause === 'keys' || one?.leave === true;

export const atStep = ({ move: one }: CompanionFacts, step: MoveStep): Change =>
  one === null ? {} : { moving: { to: one.to, step } };

export const listed = ({ move: one }: CompanionFacts, { list }: { readonly list: MoveList }): Change =>
  one === null ? {} : { move: { ...one, list, isPrepared: true } };

/** The move after a withdrawal that left something. */
export const leftBehind = ({ move: one }: CompanionFacts, outcome: Withdrawn): Change =>
  one === null || outcome.status !== 'left' ? {} : { move: { ...one, topics: outcome.topics } };

/** The surface of the move is in force. */
export function arrived(facts: CompanionFacts): Change {
  const { move: one, memory, surface } = facts;
  if (one === null) return {};
  return {
    surface: one.to,
    stays: one.topics,
    moving: { to: one.to, step: 'apply' },
    memory: {
      ...(memory ?? noMemory),
      surface: one.to,
      moving: { to: one.to, step: 'apply', leave: one.leave },
      // Nothing was offered to the next one that is paired.
      ...(one.cause === 'keys' && { offered: [] }),
    },
    ...(surface !== null &&
      surface !== one.to &&
      withHappened(facts, one.to === 'native' ? 'moved-native' : 'moved-mqtt', null)),
  };
}

/** The memory while that step is under way. */
export const noted = ({ move: one, memory }: CompanionFacts, step: KeptMove['step']): Change =>
  one === null ? {} : { memory: { ...(memory ?? noMemory), moving: { to: one.to, step, leave: one.leave } } };

/** No move is under way. */
export const over = ({ memory }: CompanionFacts): Change => ({
  move: null,
  moving: null,
  memory: { ...(memory ?? noMemory), moving: null },
});

/** The same after one that was taken back: a Home Assistant that is away is told to forget it in its next session. */
export const takenBack = (facts: CompanionFacts): Change => ({
  ...over(facts),
  owed: facts.sessions.length === 0 ? (facts.move?.to ?? null) : null,
});

/** The same while Home Assistant still has to apply the owner's choices: the store keeps that step. */
export const unapplied: Change = { move: null, moving: null };

/** True if only the owner's choices are open, which are applied in the next session. */
export const isUnapplied = ({ moving, memory, surface }: CompanionFacts): boolean =>
  moving === null && memory?.moving?.step === 'apply' && memory.moving.to === surface;

/** The session that takes part in a move: that of the Home Assistant which is followed, otherwise the newest. */
export const sessionOf = ({ sessions, followed: id }: CompanionFacts): number | null =>
  (sessions.findLast(({ client }) => client.clientId === id) ?? sessions.at(-1))?.session ?? null;

/** The Home Assistant that takes part. */
export function clientOf(facts: CompanionFacts): string {
  const session = sessionOf(facts);
  return facts.sessions.find((one) => one.session === session)?.client.clientId ?? '';
}

export const refusedMove = (code: MoveCode, topics: readonly string[] = []): MoveOutcome => ({
  status: 'refused',
  code,
  message: sentenceOf(code),
  topics,
});

/** The answer to a withdrawal that left something, without a word that it may. */
export const notWithdrawn = (outcome: Withdrawn): MoveOutcome =>
  outcome.status === 'left' ? refusedMove(leftCodes[outcome.reason], outcome.topics) : refusedMove('publisher-busy');

export function previewOf(facts: CompanionFacts): MoveOutcome {
  const { to, list } = facts.move ?? move('mqtt', 'person');
  return {
    status: 'preview',
    to,
    list,
    notes: notesOf({ to, list, hasSession: facts.sessions.length > 0, topics: [] }),
  };
}

/** `isApplied`: Home Assistant confirmed that the owner's choices are on the new entities. */
export function endOf(facts: CompanionFacts, isApplied: boolean): MoveOutcome {
  const { to, list, isPrepared, topics } = facts.move ?? move('mqtt', 'person');
  const notes = notesOf({ to, list, hasSession: facts.sessions.length > 0, topics });
  return { status: 'moved', to, list, applied: isApplied || !isPrepared, stays: topics, notes };
}
