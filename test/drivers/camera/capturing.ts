import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { AccessUnit, FrameHub, StreamFormat } from '#drivers/camera/frames.ts';
import { createFrameHub } from '#drivers/camera/hub.ts';
import { cameraCapture, type CaptureDeps } from '#drivers/camera/capture.ts';
import { cameraStills } from '#drivers/camera/still.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type {
  CameraHeight,
  CaptureCommand,
  CaptureFact,
  CaptureInput,
  EncodeRequest,
  StillCommand,
  StillFact,
} from '#machines/camera-session/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

export const request: EncodeRequest = { height: 480, fps: 15, kbps: 1000 };

const elapsed = (): number => performance.now();

/** A capture under test, with all that it publishes. */
export function startCapture(
  deps: Omit<CaptureDeps, 'hub' | 'elapsed'>,
  { asked = request }: { readonly asked?: EncodeRequest } = {},
) {
  const hub = createFrameHub(elapsed);
  const units: AccessUnit[] = [];
  const formats: StreamFormat[] = [];
  let ends = 0;
  hub.read({
    onFormat: (format) => formats.push(format),
    onUnit: (unit) => units.push(unit),
    onEnd: () => void (ends += 1),
  });
  const driver = runDriver<CaptureCommand, CaptureFact, CaptureInput>(cameraCapture({ ...deps, hub, elapsed }), {
    generation: 3,
    attempt: 2,
    request: asked,
  });
  return {
    ...driver,
    hub,
    units,
    formats,
    ends: () => ends,
    opened: () => driver.until(isFact<CaptureFact, 'capture.opened'>('capture.opened')),
    failed: () => driver.until(isFact<CaptureFact, 'capture.failed'>('capture.failed')),
    closed: () => driver.until(isFact<CaptureFact, 'capture.closed'>('capture.closed')),
    close: () => driver.tell({ type: 'capture.close' }),
    /** The facts without those that come each second. */
    kinds: () => driver.facts.map(({ type }) => type).filter((type) => type !== 'capture.measured'),
  };
}

/** Stills under test, with more time than a busy machine needs. */
export function startStills(hub: FrameHub, deps: { readonly env?: ToolEnv; readonly boundMs?: number } = {}) {
  const driver = runDriver<StillCommand, StillFact>(cameraStills({ hub, boundMs: 30_000, ...deps }));
  let id = 0;
  return {
    ...driver,
    /** Takes one, and waits for it. */
    take: async (height: CameraHeight | null): Promise<Buffer | null> => {
      const own = (id += 1);
      driver.tell({ type: 'still.take', id: own, height });
      const { jpeg } = await driver.until(isFact<StillFact, 'still.taken'>('still.taken', (fact) => fact.id === own));
      return jpeg === null ? null : Buffer.from(jpeg);
    },
  };
}

/** What ffmpeg makes of the bytes of a picture on its standard input. */
async function decoded(jpeg: Buffer, ...args: readonly string[]): Promise<Buffer> {
  const child = execFile('ffmpeg', ['-loglevel', 'error', '-f', 'mjpeg', '-i', 'pipe:0', ...args, 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 16 * 1024 * 1024,
  });
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdin?.end(jpeg);
  await once(child, 'close');
  return Buffer.concat(pieces);
}

/** Mean brightness of a picture, 0 to 255. */
export async function greyOf(jpeg: Buffer): Promise<number> {
  const [grey = -1] = await decoded(jpeg, '-vf', 'scale=1:1:flags=area', '-pix_fmt', 'gray', '-f', 'rawvideo');
  return grey;
}

/** Size of a JPEG, from its frame header. */
export function sizeOfJpeg(jpeg: Buffer): string {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === 0xc0) return `${jpeg.readUInt16BE(at + 7)}x${jpeg.readUInt16BE(at + 5)}`;
  return 'none';
}

/** A folder with a file system of its own, and with an ffmpeg that is a script. */
export async function madeUp() {
  const root = await mkdtemp(join(tmpdir(), 'sconce-capture-'));
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  return {
    root,
    put,
    /** Puts a node of that name and index there. */
    node: async (node: string, name: string, index: number): Promise<void> => {
      await put(`sys/class/video4linux/${node}/name`, name);
      await put(`sys/class/video4linux/${node}/index`, String(index));
      await put(`dev/${node}`, '');
    },
    /**
     * Puts an ffmpeg there that notes its arguments and its process id, then runs the lines. `$camera` gives pictures.
     */
    ffmpeg: async (lines: string): Promise<void> => {
      await put(
        'bin/ffmpeg',
        `#!/bin/sh
echo "$*" >> ${root}/calls
echo $$ > ${root}/pid
camera() {
  exec /usr/bin/ffmpeg -loglevel warning -re -f lavfi -i testsrc2=size=640x480:rate=15 -an -c:v libx264 \\
    -preset ultrafast -tune zerolatency -profile:v baseline -g 15 -flush_packets 1 -f flv pipe:1
}
${lines}
`,
      );
      await chmod(join(root, 'bin/ffmpeg'), 0o755);
    },
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    /** The arguments of each run, in order. */
    calls: async (): Promise<readonly string[]> =>
      (await readFile(join(root, 'calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    pid: async (): Promise<number> => Number(await readFile(join(root, 'pid'), 'utf8')),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** True while a process runs; one that is dead and not yet waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat !== '' && !/\) [ZX]/.test(stat);
}

const START_CODE = Buffer.from([0, 0, 0, 1]);

/** What ffprobe reads in the pictures that were published. */
export async function probed(format: StreamFormat, units: readonly AccessUnit[]) {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-probed-'));
  try {
    const file = join(folder, 'stream.h264');
    const nals = units.flatMap(({ isKey, nals: own }) => [...(isKey ? [format.sps, format.pps] : []), ...own]);
    await writeFile(file, Buffer.concat(nals.flatMap((nal) => [START_CODE, nal])));
    const shown = 'stream=codec_name,profile,width,height,has_b_frames:frame=key_frame';
    const args = ['-loglevel', 'error', '-show_entries', shown, '-of', 'json', file];
    const { stdout, stderr } = await promisify(execFile)('ffprobe', args, { maxBuffer: 16 * 1024 * 1024 });
    // The form of ffprobe's own report.
    const report = JSON.parse(stdout) as {
      readonly streams: readonly Readonly<Record<string, string | number>>[];
      readonly frames: readonly { readonly key_frame: number }[];
    };
    return { stream: report.streams[0], keys: report.frames.map(({ key_frame }) => key_frame === 1), errors: stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
