import type { BrokerMessages, IncomingMessage } from '#machines/mqtt/events.ts';

/** A connection to the broker, as those who publish use it. */
type Connection = Pick<BrokerMessages, 'publish' | 'subscribeTo'>;

/** Joins the connection in force to those who publish and listen, whichever of them starts anew. */
export interface MessageExchange extends BrokerMessages {
  /** A connection was made; it hands over what it receives until it is closed or another one is opened. */
  readonly open: (connection: Connection) => {
    readonly deliver: (message: IncomingMessage) => void;
    readonly close: () => void;
  };
}

/** An exchange without a connection. */
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
