import type { StreamFormat } from '../frames.ts';
import { PAYLOAD_TYPE, UNITS_PER_MS } from './rtp.ts';

/** The control address of the only track, relative to `Content-Base`. */
export const TRACK = 'trackID=0';

export interface DescribedStream {
  readonly format: Pick<StreamFormat, 'sps' | 'pps'>;
  /** A number that names this stream (RFC 4566, section 5.2). */
  readonly origin: number;
  /** Family of the client's address: GStreamer opens its ports by what is described. */
  readonly family: 4 | 6;
}

/** Description of the stream (RFC 4566) with the parameter sets (RFC 6184, section 8.2.1); it tells no address. */
export function describeStream({ format: { sps, pps }, origin, family }: DescribedStream): string {
  const level = sps.subarray(1, 4).toString('hex').toUpperCase();
  const sets = `${sps.toString('base64')},${pps.toString('base64')}`;
  const lines = [
    'v=0',
    `o=- ${origin} 1 IN ${family === 4 ? 'IP4 127.0.0.1' : 'IP6 ::1'}`,
    's=Camera',
    `c=IN ${family === 4 ? 'IP4 0.0.0.0' : 'IP6 ::'}`,
    't=0 0',
    'a=control:*',
    'a=range:npt=now-',
    `m=video 0 RTP/AVP ${PAYLOAD_TYPE}`,
    `a=rtpmap:${PAYLOAD_TYPE} H264/${UNITS_PER_MS * 1000}`,
    `a=fmtp:${PAYLOAD_TYPE} packetization-mode=1; sprop-parameter-sets=${sets}; profile-level-id=${level}`,
    `a=control:${TRACK}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
