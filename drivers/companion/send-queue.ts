import type { PanelMessage } from '#machines/companion/events.ts';

/** Bytes that may wait in the socket before messages wait here, where a newer state replaces an older one. */
const SOCKET_BYTES = 65_536;

export interface SendQueueInput {
  /** Writes one message; calls back once the kernel has taken it. */
  readonly write: (payload: Buffer, taken: () => void) => void;
  /** Bytes that wait in the socket. */
  readonly buffered: () => number;
  /** Largest message, and most bytes that may wait here and in the socket. */
  readonly messageBytes: number;
  readonly unsentBytes: number;
  /** Called once more than that waits; the connection must end. */
  readonly onExcess: () => void;
}

/** Messages to one session, in order. */
export interface SendQueue {
  /** False if it cannot be sent. */
  readonly add: (message: PanelMessage) => boolean;
  /** Drops what waits. */
  readonly clear: () => void;
}

/** Creates the queue of one session. */
export function createSendQueue(input: SendQueueInput): SendQueue {
  /** By the row of a state, or by a number; a row that is set again keeps its place. */
  const waiting = new Map<string | number, Buffer>();
  let bytes = 0;
  let counted = 0;
  const drop = (id: string | number): void => {
    bytes -= waiting.get(id)?.length ?? 0;
    waiting.delete(id);
  };
  const pump = (): void => {
    for (const [id, payload] of waiting) {
      if (input.buffered() >= SOCKET_BYTES) return;
      drop(id);
      input.write(payload, pump);
    }
  };
  return {
    add: (message) => {
      const payload = Buffer.from(JSON.stringify(message));
      if (payload.length > input.messageBytes) return false;
      // The states of all rows follow a catalogue: those that wait before it are of no use.
      if (message.type === 'catalogue') for (const id of waiting.keys()) if (typeof id === 'string') drop(id);
      const id = message.type === 'state' ? message.k : (counted += 1);
      bytes += payload.length - (waiting.get(id)?.length ?? 0);
      waiting.set(id, payload);
      pump();
      if (bytes + input.buffered() <= input.unsentBytes) return true;
      input.onExcess();
      return false;
    },
    clear: () => {
      waiting.clear();
      bytes = 0;
    },
  };
}
