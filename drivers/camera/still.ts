import { findProgram } from '#drivers/kit/find-program.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { CameraHeight, StillCommand, StillDriver, StillFact } from '#machines/camera-session/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { runFfmpeg } from './ffmpeg.ts';
import { stillLine } from './ffmpeg-line.ts';
import type { AccessUnit, FrameHub, StreamFormat } from './frames.ts';

/** Longest decode; a picture takes 0.3 s on two slow cores. */
const STILL_MS: Milliseconds = 3000;
/** Largest JPEG: a 1080p picture at this quality has less than 1 MB. */
const MOST_JPEG_BYTES = 2 * 1024 * 1024;
/** Most pictures that wait for their turn; one more fails at once. */
const MOST_WAITING = 16;

const START_CODE = Buffer.from([0, 0, 0, 1]);

/** A key frame as a byte stream of its own (Annex B). */
const byteStream = ({ sps, pps }: StreamFormat, { nals }: AccessUnit): Buffer =>
  Buffer.concat([sps, pps, ...nals].flatMap((nal) => [START_CODE, nal]));

/** Complete: from its first marker to its last. */
const isJpeg = (bytes: Buffer): boolean =>
  bytes.length > 4 && bytes.readUInt16BE(0) === 0xff_d8 && bytes.readUInt16BE(bytes.length - 2) === 0xff_d9;

interface Decode {
  readonly ffmpeg: string;
  readonly env: ToolEnv;
  readonly signal: AbortSignal;
  readonly boundMs: Milliseconds;
}

/** Decodes a byte stream to one JPEG; null if that fails, takes too long, or is too large. Never rejects. */
async function decode(
  stream: Buffer,
  height: CameraHeight | null,
  { ffmpeg, env, signal, boundMs }: Decode,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const run = runFfmpeg(ffmpeg, stillLine(height), {
    env,
    onData: (chunk) => {
      bytes += chunk.length;
      if (bytes > MOST_JPEG_BYTES) run.kill();
      else pieces.push(chunk);
    },
  });
  const timer = setTimeout(run.kill, boundMs);
  signal.addEventListener('abort', run.kill, { once: true });
  if (signal.aborted) run.kill();
  run.input?.end(stream);
  await run.gone;
  clearTimeout(timer);
  signal.removeEventListener('abort', run.kill);
  const jpeg = Buffer.concat(pieces);
  return bytes <= MOST_JPEG_BYTES && isJpeg(jpeg) ? jpeg : null;
}

/** Decodes the newest key frame of the hub to JPEG, one at a time and in order; its stop waits for the decoder. */
export const cameraStills = ({
  hub,
  env = process.env,
  boundMs = STILL_MS,
}: {
  readonly hub: FrameHub;
  readonly env?: ToolEnv;
  readonly boundMs?: Milliseconds;
}): StillDriver =>
  fromDriver<StillCommand, undefined, StillFact>(({ send, onEvent, signal }) => {
    let last: Promise<void> = Promise.resolve();
    let waiting = 0;
    const take = async ({ id, height }: StillCommand): Promise<void> => {
      const format = hub.format();
      const [key] = hub.group();
      const ffmpeg = signal.aborted || format === null || key === undefined ? null : await findProgram(['ffmpeg'], env);
      const jpeg =
        ffmpeg === null || format === null || key === undefined
          ? null
          : await decode(byteStream(format, key), height, { ffmpeg, env, signal, boundMs });
      waiting -= 1;
      send({ type: 'still.taken', id, jpeg });
    };
    onEvent((command) => {
      if (waiting >= MOST_WAITING) return send({ type: 'still.taken', id: command.id, jpeg: null });
      waiting += 1;
      last = last.then(() => take(command));
      return last;
    });
    return () => last.catch(() => {});
  });
