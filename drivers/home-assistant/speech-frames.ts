import type { TurnSink } from '#drivers/voice/turn-channel.ts';

/** Bytes of a millisecond: s16le, mono, 16 kHz. */
const BYTES_PER_MS = 32;
/** Shorter frames cost Home Assistant most, longer ones make it notice the end of speech later. */
const SHORTEST = 32 * BYTES_PER_MS;
const LONGEST = 64 * BYTES_PER_MS;
/**
 * Silence before the speech, in one frame: Home Assistant's judge of speech has no opinion about the first 740 to
 * 760 ms, and a short command inside that time would not end before 15 s.
 */
const LEAD_IN = 800 * BYTES_PER_MS;

/**
 * Sends speech in frames of 32 to 64 ms, each after the id of its run; the last one may be shorter. `send` is called
 * with the lead-in at once, and with the empty frame at the end.
 */
export function speechFrames(handlerId: number, send: (frame: Buffer) => void): TurnSink {
  const head = Buffer.of(handlerId);
  let rest: Buffer = Buffer.alloc(0);

  send(Buffer.concat([head], head.length + LEAD_IN));
  return {
    samples: (pcm) => {
      let from = 0;
      const all = rest.length === 0 ? pcm : Buffer.concat([rest, pcm]);
      while (all.length - from >= SHORTEST) {
        // Never half a sample.
        const to = from + Math.min(LONGEST, (all.length - from) & ~1);
        send(Buffer.concat([head, all.subarray(from, to)]));
        from = to;
      }
      // A copy: the ear may use its memory again.
      rest = Buffer.from(all.subarray(from));
    },
    end: () => {
      const whole = rest.subarray(0, rest.length & ~1);
      rest = Buffer.alloc(0);
      if (whole.length > 0) send(Buffer.concat([head, whole]));
      send(head);
    },
  };
}
