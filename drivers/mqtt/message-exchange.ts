import type { BrokerMessages, IncomingMessage } from '#machines/mqtt/events.ts';

/** The side of a connection that publishers use. */
type Connection = Pick<BrokerMessages, 'publish' | 'subscribeTo'>;

/** Joins the current connection to publishers and listeners, even if either restarts. */
export interface MessageExchange extends BrokerMessages {
  /** Called with a new connection, which delivers messages until it is closed or another one is opened. */
  readonly open: (connection: Connection) => {
    readonly deliver: (message: IncomingMessage) => void;
    readonly close: () => void;
  };
}

/** Creates an exchange, at first without a connection. */
export function createMessageExchange(): MessageExchange {
  const listeners = new Set<(message: IncomingMessage) => void>();
  let current: Connection | null = null;
  return {
    publish: (messages) => current?.publish(messages),
    subscribeTo: (subscription) => current?.subscribeTo(subscription),
    listen: (handler) => {
      listeners.add(handler);
      return () => void listeners.delete(handler);
    },
    open: (connection) => {
      current = connection;
      return {
        deliver: (message) => {
          if (current === connection) for (const handler of listeners) handler(message);
        },
        close: () => {
          if (current === connection) current = null;
        },
      };
    },
  };
}
