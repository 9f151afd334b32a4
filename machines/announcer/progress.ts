import type { AnnouncerContext, ProgressFact, ReplyProgress } from './events.ts';

/** What is in the lane, and what is known of the newest announcement and of the newest answer. */
export interface Lane extends Pick<AnnouncerContext, 'phase' | 'reason' | 'reply'> {
  /** Generation of the newest play, of either kind; 0 before the first. */
  readonly play: number;
  readonly isReply: boolean;
}

const ended: ReadonlySet<AnnouncerContext['phase'] | ReplyProgress['phase']> = new Set(['idle', 'ended', 'failed']);

/** True while an announcement is queued, downloading or playing. */
export const isAnnouncing = ({ phase }: Pick<Lane, 'phase'>): boolean => !ended.has(phase);

/** True while that turn's answer is queued, downloading or playing. */
export const isReplying = ({ reply }: Pick<Lane, 'reply'>, turn: number): boolean =>
  reply !== null && reply.turn === turn && !ended.has(reply.phase);

/** The newest answer once something else has taken the lane. */
export const replaced = (reply: ReplyProgress | null): ReplyProgress | null =>
  reply === null || ended.has(reply.phase) ? reply : { ...reply, phase: 'ended', reason: null };

function replyAfter(reply: ReplyProgress, fact: ProgressFact): ReplyProgress {
  switch (fact.type) {
    case 'player.downloading':
      return { ...reply, phase: 'downloading' };
    case 'player.playing':
      return { ...reply, phase: 'playing' };
    case 'player.finished':
      return { ...reply, phase: 'ended' };
    case 'player.refused':
      return { ...reply, phase: 'failed', reason: fact.reason };
  }
}

function announcementAfter(fact: ProgressFact): Partial<Lane> {
  switch (fact.type) {
    case 'player.downloading':
      return { phase: 'downloading' };
    case 'player.playing':
      return { phase: 'playing' };
    case 'player.finished':
      return { phase: 'idle' };
    case 'player.refused':
      return { phase: 'failed', reason: fact.reason };
  }
}

/** Applies a report of the player; one on what was replaced or has ended changes nothing. */
export function afterProgress(now: Lane, fact: ProgressFact): Partial<Lane> {
  if (fact.generation !== now.play) return {};
  if (!now.isReply) return isAnnouncing(now) ? announcementAfter(fact) : {};
  return now.reply === null || ended.has(now.reply.phase) ? {} : { reply: replyAfter(now.reply, fact) };
}
