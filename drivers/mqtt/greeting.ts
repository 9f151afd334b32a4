/** Type of CONNECT, with its remaining length (MQTT 3.1.1, section 3.1). */
const HEAD = [0x10, 12];
/** Protocol name and level, a clean session without will and user, and a keep-alive of 10 s. */
const VARIABLE = [0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 0b10, 0, 10];
/** No client id: the broker assigns one, so that no other client is replaced. */
const CLIENT_ID = [0, 0];

/** CONNECT without credentials: a broker answers it with CONNACK, even to refuse. */
export const CONNECT = Uint8Array.from([...HEAD, ...VARIABLE, ...CLIENT_ID]);

/** DISCONNECT, so that a broker does not take the close for a lost client (section 3.14). */
export const DISCONNECT = Uint8Array.of(0xe0, 0);

/** Bytes of an answer that are judged: the fixed header of CONNACK, its flags and its reason. */
const JUDGED_BYTES = 4;

/** Kind of an answer by its first bytes; `more` while they are too few to tell. */
export type Greeting = 'connack' | 'other' | 'more';

/**
 * Detects CONNACK with any reason (MQTT 3.1.1 and MQTT 5, section 3.2): its type, a length of at least two in one byte,
 * and flags of which only the lowest bit is used.
 */
function judgeGreeting(bytes: Uint8Array): Greeting {
  const [type, length, flags] = bytes;
  const isOther =
    (type !== undefined && type !== 0x20) ||
    (length !== undefined && (length < 2 || length > 0x7f)) ||
    (flags !== undefined && flags > 1);
  if (isOther) return 'other';
  return bytes.length < JUDGED_BYTES ? 'more' : 'connack';
}

/** Judges an answer chunk by chunk, and keeps only the bytes that are judged. */
export function greetingReader(): (read: Uint8Array) => Greeting {
  let seen = new Uint8Array();
  return (read) => {
    seen = Uint8Array.from([...seen, ...read.subarray(0, JUDGED_BYTES - seen.length)]);
    return judgeGreeting(seen);
  };
}
