import type { Door, Upgrade } from '#drivers/http/door.ts';
import type { CompanionExchange } from '#machines/companion/events.ts';

type Rows = Parameters<CompanionExchange['serve']>[0];
type Send = Parameters<CompanionExchange['attach']>[0];

/** The exchange, with the door of the listener, through which connections come. */
export interface CompanionJoint extends CompanionExchange {
  /** The listener's side; it is closed while nothing answers. */
  readonly take: Door['take'];
  /** The sessions' side; returns a function that stops it. */
  readonly answer: (arrived: (upgrade: Upgrade) => void) => () => void;
}

/** Creates it, at first with nothing on either side. */
export function createCompanionExchange(): CompanionJoint {
  const served = new Set<Rows>();
  const open = new Set<number>();
  let sending: Send | null = null;
  let answering: ((upgrade: Upgrade) => void) | null = null;
  const closed = (session: number): void => {
    if (!open.delete(session)) return;
    for (const rows of served) rows.closed(session);
  };
  return {
    send: (session, message) => open.has(session) && (sending?.(session, message) ?? false),
    serve: (rows) => {
      served.add(rows);
      for (const session of open) rows.opened(session);
      return () => void served.delete(rows);
    },
    attach: (send) => {
      for (const session of open) closed(session);
      sending = send;
      const isCurrent = (): boolean => sending === send;
      return {
        opened: (session) => {
          if (!isCurrent()) return;
          open.add(session);
          for (const rows of served) rows.opened(session);
        },
        closed: (session) => {
          if (isCurrent()) closed(session);
        },
        received: (message) => {
          if (!isCurrent()) return;
          for (const rows of served) rows.received(message);
          if (served.size > 0) return;
          // Each command gets a result, this one because nothing could carry it out.
          const text = 'The panel is still starting. Try again in a few seconds.';
          send(message.session, { type: 'result', id: message.message.id, ok: false, code: 'starting', message: text });
        },
        detach: () => {
          if (!isCurrent()) return;
          for (const session of open) closed(session);
          sending = null;
        },
      };
    },
    take: (upgrade) => {
      answering?.(upgrade);
      return answering !== null;
    },
    answer: (arrived) => {
      answering = arrived;
      return () => {
        if (answering === arrived) answering = null;
      };
    },
  };
}
