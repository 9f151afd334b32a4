import type { AnnouncerContext, ProgressFact } from './events.ts';

/** What is known of the newest announcement. */
type Announcement = Pick<AnnouncerContext, 'phase' | 'reason' | 'generation'>;

const ended: ReadonlySet<AnnouncerContext['phase']> = new Set(['idle', 'failed']);

/** Applies a report of the player; one on an announcement that was replaced or has ended changes nothing. */
export function afterProgress(now: Announcement, fact: ProgressFact): Partial<Announcement> {
  if (fact.generation !== now.generation || ended.has(now.phase)) return {};
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
