import { findProgram } from '#drivers/kit/find-program.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type {
  CaptureCommand,
  CaptureDriver,
  CaptureFact,
  CaptureInput,
  EncodeRequest,
} from '#machines/camera-session/events.ts';
import type { VideoDevice } from '#machines/camera/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { CameraDevice } from './device.ts';
import { type CaptureFailure, judgeEnd, type RunEnd } from './faults.ts';
import { type FfmpegRun, runFfmpeg } from './ffmpeg.ts';
import { encodeLine } from './ffmpeg-line.ts';
import { BrokenStreamError, createFlvReader, type FlvItem } from './flv.ts';
import type { FrameHub } from './frames.ts';
import type { OpenTasks } from '#drivers/kit/open-tasks.ts';
import type { CaptureSource } from './source.ts';
import { type SourceFacts, sourcesOf } from './sources.ts';

/** Between two reports of the rates. */
const REPORT_MS: Milliseconds = 1000;

export interface CaptureDeps {
  readonly device: CameraDevice;
  readonly hub: FrameHub;
  readonly elapsed: () => Milliseconds;
  /** Is told of each capture, so that the mark can stay until its process is gone. */
  readonly open?: Pick<OpenTasks, 'add'>;
  readonly env?: ToolEnv;
  /** Root of the file system in which the camera is looked for. */
  readonly root?: string;
  /** Which video devices are cameras; by default the first node of each. */
  readonly isCamera?: (device: VideoDevice) => boolean;
  /** Ways to open the camera, for tests. */
  readonly sources?: (facts: SourceFacts) => Promise<readonly CaptureSource[]>;
}

/** A fact of one capture, without what all of them have. */
type Body = CaptureFact extends infer One
  ? One extends CaptureFact
    ? Omit<One, 'generation' | 'attempt' | 'at'>
    : never
  : never;

interface Reports {
  readonly opened: () => void;
  readonly failed: (failure: CaptureFailure) => void;
}

/** One ffmpeg: publishes what it encodes, and says what follows from its end; null if it was ended from here. */
interface Attempt {
  readonly run: FfmpegRun;
  readonly end: Promise<RunEnd | null>;
  /** Publishes nothing more. */
  readonly mute: () => void;
}

function attempt(
  source: CaptureSource,
  run: (onData: (chunk: Buffer) => void) => FfmpegRun,
  { hub, reports }: { readonly hub: FrameHub; readonly reports: Reports },
): Attempt {
  const reader = createFlvReader();
  let isMuted = false;
  let isOpen = false;
  const mute = (): void => {
    isMuted = true;
    hub.end();
  };
  const fail = (failure: CaptureFailure): void => {
    if (isMuted) return;
    mute();
    reports.failed(failure);
    child.kill();
  };
  const take = (item: FlvItem): void => {
    if (isMuted) return;
    if (item.kind === 'format') return hub.begin(item.format);
    hub.publish(item.unit);
    if (isOpen) return;
    isOpen = true;
    reports.opened();
  };
  const child = run((chunk) => {
    if (isMuted) return;
    try {
      for (const item of reader.push(chunk)) take(item);
    } catch (error) {
      if (!(error instanceof BrokenStreamError)) throw error;
      fail({ fault: 'encode', detail: 'broken-stream' });
    }
  });
  const endFeed = child.input === null ? undefined : source.feed?.(child.input, fail);
  // A camera needs nothing on the standard input.
  if (source.feed === undefined) child.input?.end();
  const end = child.gone.then((): RunEnd | null => {
    endFeed?.();
    if (isMuted) return null;
    mute();
    return judgeEnd(child.lines(), source.isGone());
  });
  return { run: child, end, mute };
}

/** What is left to say if no source could be used. */
function failureOf(ends: readonly RunEnd[]): CaptureFailure {
  if (ends.length === 0) return { fault: 'disconnected', detail: 'no-node' };
  return ends.some((end) => 'next' in end && end.next === 'format')
    ? { fault: 'configure', detail: 'no-format' }
    : { fault: 'open', detail: 'not-a-camera' };
}

interface Search {
  readonly sources: readonly CaptureSource[];
  readonly isOver: () => boolean;
  readonly open: (source: CaptureSource) => Promise<RunEnd | null>;
}

/** Tries one source after the other; resolves with what broke, or null if the capture was ended from here. */
async function tryEach({ sources, isOver, open }: Search): Promise<CaptureFailure | null> {
  const ends: RunEnd[] = [];
  const others = new Set<string>();
  for (const source of sources) {
    if (isOver()) return null;
    if (others.has(source.node)) continue;
    // One camera, one process at a time.
    // oxlint-disable-next-line no-await-in-loop
    const end = source.refusal?.() ?? (await open(source));
    if (end === null) return null;
    if (!('next' in end)) return end;
    ends.push(end);
    if (end.next === 'node') others.add(source.node);
  }
  return isOver() ? null : failureOf(ends);
}

/**
 * Opens the camera with one ffmpeg and publishes what it encodes to the hub; `capture.closed` follows once that process
 * is gone. Stopping the driver ends the process too, and its cleanup waits for that.
 */
export const cameraCapture = ({
  device,
  hub,
  elapsed,
  open: captures,
  env = process.env,
  root = '/',
  isCamera,
  sources = sourcesOf,
}: CaptureDeps): CaptureDriver =>
  fromDriver<CaptureCommand, CaptureInput, CaptureFact>(({ input, send, onEvent, guard }) => {
    const { generation, attempt: number, request } = input;
    let current: Attempt | null = null;
    let isOver = false;
    const report = (body: Body): void => send({ generation, attempt: number, at: elapsed(), ...body });
    const timer = setInterval(
      guard(() => {
        const { fps, kbps, lastAt } = hub.rates();
        report({ type: 'capture.measured', lastAt, fps, kbps });
      }),
      REPORT_MS,
    );

    const finish = (): void => {
      isOver = true;
      clearInterval(timer);
    };
    const failed = ({ fault, detail }: CaptureFailure): void => {
      if (isOver) return;
      finish();
      report({ type: 'capture.failed', fault, detail });
    };
    const opened = (): void => report({ type: 'capture.opened', encoding: encodingOf(hub, request) });
    const open = async (ffmpeg: string, source: CaptureSource): Promise<RunEnd | null> => {
      const args = encodeLine(source.input, source.rotate, request);
      const start = (onData: (chunk: Buffer) => void): FfmpegRun =>
        runFfmpeg(ffmpeg, args, { env, onData: guard(onData) });
      current = attempt(source, start, { hub, reports: { opened: guard(opened), failed: guard(failed) } });
      try {
        return await current.end;
      } finally {
        current = null;
      }
    };
    const capture = async (): Promise<CaptureFailure | null> => {
      const ffmpeg = await findProgram(['ffmpeg'], env);
      if (ffmpeg === null) return { fault: 'stream_encoder', detail: 'ffmpeg-missing' };
      const found = await sources({ device, root, request, isCamera });
      return tryEach({ sources: found, isOver: () => isOver, open: (source) => open(ffmpeg, source) });
    };
    const close = (): void => {
      finish();
      current?.mute();
      current?.run.stop();
    };
    const run = async (): Promise<void> => {
      const failure = await capture();
      if (failure !== null) failed(failure);
      finish();
      report({ type: 'capture.closed' });
    };

    onEvent(guard(close));
    const done = run();
    captures?.add(done);
    guard(() => done)();
    return async () => {
      close();
      await done.catch(() => {});
    };
  });

function encodingOf(hub: FrameHub, { fps, kbps }: EncodeRequest) {
  const { width, height } = hub.format() ?? { width: 0, height: 0 };
  return { encoder: 'libx264', width, height, fps, kbps } as const;
}
