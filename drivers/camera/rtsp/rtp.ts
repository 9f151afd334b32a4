/** The payload type of the pictures: the first dynamic one (RFC 3551). */
export const PAYLOAD_TYPE = 96;
/** Units of RTP time in a millisecond (RFC 6184, section 8.2.1: 90 kHz). */
export const UNITS_PER_MS = 90;
/** Version 2 in the first byte of a packet, of RTP and of RTCP (RFC 3550, sections 5.1 and 6.4.1). */
export const VERSION = 0x80;
/** First byte of a packet on a TCP connection: `$` (RFC 2326, section 10.12). */
export const DOLLAR = 0x24;
/** `$`, channel and length in front of such a packet. */
export const FRAME_BYTES = 4;
