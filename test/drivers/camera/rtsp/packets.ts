import type { RtpPacket } from 'rtp.js/packets';

/** The view that rtp.js reads: a copy, since its own would change the packet. */
export const viewOf = (packet: Buffer): DataView => new DataView(Uint8Array.from(packet).buffer);

/** NAL units of packets (RFC 6184): single ones and fragments. */
export function depacketise(packets: readonly RtpPacket[]): readonly Buffer[] {
  const nals: Buffer[] = [];
  let pieces: Buffer[] = [];
  for (const packet of packets) {
    const { buffer, byteOffset, byteLength } = packet.getPayload();
    const payload = Buffer.from(buffer, byteOffset, byteLength);
    const [indicator = 0, head = 0] = payload;
    if ((indicator & 0x1f) !== 28) nals.push(payload);
    else {
      if ((head & 0x80) !== 0) pieces = [Buffer.from([(indicator & 0xe0) | (head & 0x1f)])];
      pieces.push(payload.subarray(2));
      if ((head & 0x40) !== 0) nals.push(Buffer.concat(pieces));
    }
  }
  return nals;
}
