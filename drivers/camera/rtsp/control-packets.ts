import type { EpochMs } from '#machines/kit/units.ts';

import { VERSION } from './rtp.ts';

/** Seconds from 1900, where NTP's time begins, to 1970. */
const NTP_OFFSET_S = 2_208_988_800;
const SENDER_REPORT = 200;
const DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;

export interface SenderCounts {
  readonly packets: number;
  readonly payloadBytes: number;
}

/** A packet of RTCP (RFC 3550, section 6.4): its length counts words of 32 bits, without the first. */
function packet(type: number, count: number, body: Buffer): Buffer {
  const head = Buffer.from([VERSION | count, type, 0, 0]);
  head.writeUInt16BE(body.length / 4, 2);
  return Buffer.concat([head, body]);
}

/** Names the source; the name says nothing of the panel. */
function description(source: number): Buffer {
  const name = Buffer.from('camera');
  const body = Buffer.alloc(Math.ceil((4 + 2 + name.length + 1) / 4) * 4);
  body.writeUInt32BE(source, 0);
  body[4] = CNAME;
  body[5] = name.length;
  name.copy(body, 6);
  return packet(DESCRIPTION, 1, body);
}

function sender(source: number, now: EpochMs, timestamp: number, { packets, payloadBytes }: SenderCounts): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt32BE(source, 0);
  body.writeUInt32BE((Math.floor(now / 1000) + NTP_OFFSET_S) % 2 ** 32, 4);
  body.writeUInt32BE(Math.floor(((now % 1000) / 1000) * 2 ** 32), 8);
  body.writeUInt32BE(timestamp, 12);
  body.writeUInt32BE(packets % 2 ** 32, 16);
  body.writeUInt32BE(payloadBytes % 2 ** 32, 20);
  return packet(SENDER_REPORT, 0, body);
}

/** A sender report with the description of its source: ties RTP time to the time of day. */
export const senderReport = (source: number, now: EpochMs, timestamp: number, counts: SenderCounts): Buffer =>
  Buffer.concat([sender(source, now, timestamp, counts), description(source)]);

/** The same at the end of a stream, so that clients over UDP see it. */
export function goodbye(source: number, now: EpochMs, timestamp: number, counts: SenderCounts): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt32BE(source, 0);
  return Buffer.concat([senderReport(source, now, timestamp, counts), packet(GOODBYE, 1, body)]);
}
