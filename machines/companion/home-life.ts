import type { Milliseconds } from '../kit/units.ts';
import type { HomeLife, OpenSession, SessionEnd } from './events.ts';

/** How long the life stays as it was after a reload was announced; the integration is back within a second or two. */
export const RELOAD_MS: Milliseconds = 30_000;

/** The life by the sessions that are open, for a Home Assistant that is followed from now on. */
export const lifeOf = (sessions: readonly OpenSession[], followed: string | null): HomeLife =>
  sessions.findLast(({ client }) => client.clientId === followed)?.phase ?? null;

/**
 * The life after the last session of the followed Home Assistant is over. What was announced by `stopping` is no loss,
 * whatever ends the connection then.
 */
export function lifeAfterEnd(life: HomeLife, end: SessionEnd): HomeLife {
  if (end.kind === 'bye') {
    if (end.reason !== 'reload') return null;
    return life === 'stopping' ? life : 'held';
  }
  if (end.kind === 'lost' || end.reason === 'malformed') return life === 'stopping' ? life : 'lost';
  // The panel itself ended it, and knows no more of that Home Assistant.
  return null;
}
