import type { Transport } from './noise-state.ts';

/** The frames of a proven session: one message each, behind the number of its channel. */
export interface Sealed {
  readonly seal: (channel: number, payload: Uint8Array) => Buffer;
  /** Null if the frame was not sealed by the other end, or is not the next one; nothing is to be believed then. */
  readonly open: (frame: Uint8Array) => { readonly channel: number; readonly payload: Buffer } | null;
}

/** Seals and opens frames with the ciphers of a handshake. */
export const sealedBy = ({ sending, receiving }: Pick<Transport, 'sending' | 'receiving'>): Sealed => ({
  seal: (channel, payload) => sending.seal(Buffer.concat([Uint8Array.of(channel), payload])),
  open: (frame) => {
    const plain = receiving.open(frame);
    const channel = plain?.[0];
    return plain === null || channel === undefined ? null : { channel, payload: plain.subarray(1) };
  },
});
