import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import type { UploadedFile } from '#machines/http/events.ts';
import { LOOPBACK } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { bodyReader } from './body-reader.ts';
import type { ListenerBounds } from './bounds.ts';
import type { InFlight } from './in-flight.ts';
import { UPLOAD_PREFIX } from './leftovers.ts';
import type { StallClock } from './stalled.ts';

/** Why a body is in no file. */
export type Unreceived =
  /** More than its path accepts. */
  | 'too-large'
  /** Another file is being received, or its request is not answered yet. */
  | 'busy'
  | 'no-space'
  /** Nothing of it arrived for too long, or all of it took too long. */
  | 'too-slow'
  /** The disk refused for another reason, which was reported. */
  | 'failed'
  | 'gone';

/** Receives bodies into files, one at a time. */
export interface Uploads {
  /** The file with the whole body; it exists until `release`. */
  readonly receive: (inFlight: InFlight) => Promise<UploadedFile | Unreceived>;
  /** Called when its request was answered or its sender has left. */
  readonly release: (inFlight: InFlight) => void;
  /** Ends what is under way; resolves when no file is left. */
  readonly stop: () => Promise<void>;
}

export interface UploadScope {
  readonly folder: string;
  /** Free space in bytes on the disk of a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly bounds: Pick<ListenerBounds, 'uploadMs' | 'uploadSilenceMs' | 'reserveBytes' | 'checkMs'>;
  readonly clock: StallClock;
  /** Called with the code of what the disk refused, unless it was for want of space. */
  readonly onFailure: (code: string) => void;
  readonly guard: (fn: () => void) => () => void;
}

interface Upload {
  readonly inFlight: InFlight;
  readonly isOver: () => boolean;
  /** True while it arrives, and so slowly that its sender may only be holding the place. */
  readonly isSlow: () => boolean;
  /** True until all of it was received. */
  readonly isArriving: () => boolean;
  /** Ends it; only the first call counts, and none once it was received. */
  readonly end: (why: Unreceived) => void;
  readonly received: Promise<UploadedFile | Unreceived>;
  /** Resolves when its file is removed. */
  readonly removed: Promise<void>;
}

/** Codes of a disk without space for this user. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Slower than this, in bytes per millisecond, a sender yields to another after a grace: a tenth of a weak Wi-Fi. */
const SLOW_RATE = 32;
const GRACE_MS: Milliseconds = 2000;

/** Bytes written between two looks at the free space: others write, too. */
const LOOK_BYTES = 4 * 1024 * 1024;

/** Free space that this user may take; infinite if it is unknown, since writing then says so. */
const freeOn = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );

async function makeFolder(folder: string): Promise<void> {
  try {
    // Not `recursive`: the data folder exists, and on some file systems Node never returns from a recursive mkdir.
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Receives one body once the file `before` it is removed. */
function begin(inFlight: InFlight, before: Promise<void>, scope: UploadScope): Upload {
  const { folder, freeBytes = freeOn, bounds, clock, onFailure, guard } = scope;
  const { req: incoming, limit } = inFlight;
  const path = join(folder, `${UPLOAD_PREFIX}${randomBytes(16).toString('hex')}`);
  /** Announced length in bytes; null for a chunked body. */
  const announced =
    incoming.headers['content-length'] === undefined ? null : Number(incoming.headers['content-length']);
  const startedAt = clock.now();
  const reader = bodyReader(incoming, clock.now);
  let isOver = false;
  let arrived = 0;
  let isWhole = false;
  let settle: (received: UploadedFile | Unreceived) => void = () => {};
  const received = new Promise<UploadedFile | Unreceived>((resolve) => (settle = resolve));
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  let timer: unknown = null;

  const stopTaking = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
    reader.end();
  };
  const end = (why: Unreceived): void => {
    if (isOver) return;
    isOver = true;
    stopTaking();
    settle(why);
    leave();
  };
  const check = guard(() => {
    const now: Milliseconds = clock.now();
    if (now - startedAt >= bounds.uploadMs || now - reader.waitingSince() >= bounds.uploadSilenceMs) end('too-slow');
    else timer = clock.setTimeout(check, bounds.checkMs);
  });
  /** True if the rest of the body fits beside the reserve. */
  const fits = async (bytes: number): Promise<boolean> => {
    const more = announced === null ? 0 : announced - bytes;
    return (await freeBytes(folder)) - more >= bounds.reserveBytes;
  };
  const giveUp = (why: Unreceived): null => {
    end(why);
    return null;
  };
  /** Writes the body as it arrives; null once it is over. */
  const write = async (file: FileHandle): Promise<UploadedFile | null> => {
    const hash = createHash('sha256');
    let bytes = 0;
    let looked = 0;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- piece by piece: what follows waits in the socket
      const piece = await reader.next();
      if (isOver) return null;
      if (piece === 'gone') return giveUp('gone');
      if (piece === null) return { path, bytes, sha256: hash.digest('hex') };
      bytes += piece.length;
      arrived = bytes;
      if (bytes > limit) return giveUp('too-large');
      hash.update(piece);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await file.writeFile(piece);
      if (bytes - looked < LOOK_BYTES) continue;
      looked = bytes;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!(await fits(bytes))) return giveUp('no-space');
    }
  };
  const receive = async (file: FileHandle): Promise<void> => {
    let whole: UploadedFile | null = null;
    try {
      if (isOver) return;
      if (inFlight.isAsking) inFlight.writeContinue();
      whole = await write(file);
    } finally {
      await file.close();
    }
    if (whole === null) return;
    isWhole = true;
    stopTaking();
    settle(whole);
    await left;
  };
  const run = async (): Promise<void> => {
    await before;
    if (isOver) return;
    try {
      await makeFolder(folder);
      if (!(await fits(0))) return end('no-space');
      await receive(await open(path, 'wx', 0o600));
    } catch (error) {
      const code = errorCode(error);
      if (!FULL.has(code)) onFailure(code);
      end(FULL.has(code) ? 'no-space' : 'failed');
    } finally {
      await rm(path, { force: true }).catch((error: unknown) => onFailure(errorCode(error)));
    }
  };
  timer = clock.setTimeout(check, bounds.checkMs);
  const isArriving = (): boolean => !isOver && !isWhole;
  const isSlow = (): boolean => {
    const ms = clock.now() - startedAt;
    return isArriving() && ms >= GRACE_MS && arrived < ms * SLOW_RATE;
  };
  return { inFlight, isOver: () => isOver, isSlow, isArriving, end, received, removed: run() };
}

/**
 * True if a newcomer takes the place of an upload: of another machine's that is slow, and of any other machine's if it
 * is a program on the panel itself.
 */
function takesOver(newcomer: InFlight, current: Upload): boolean {
  const [own, other] = [newcomer, current.inFlight].map(({ via }) => via?.peer.name);
  return own !== other && (own === LOOPBACK ? current.isArriving() : current.isSlow());
}

/**
 * Receives the bodies of one server into a folder: one file at a time, so that no sender takes more of the disk than
 * that. A body is written as it arrives, and its sender waits for the disk.
 */
export function createUploads(scope: UploadScope, swept: Promise<void>): Uploads {
  let current: Upload | null = null;
  let isStopped = false;
  return {
    receive: (inFlight) => {
      if (isStopped) return Promise.resolve('gone');
      if (current !== null && takesOver(inFlight, current)) current.end('too-slow');
      if (current !== null && !current.isOver()) return Promise.resolve('busy');
      current = begin(inFlight, current?.removed ?? swept, scope);
      return current.received;
    },
    release: (inFlight) => {
      if (current?.inFlight === inFlight) current.end('gone');
    },
    stop: async () => {
      isStopped = true;
      current?.end('gone');
      await current?.removed;
    },
  };
}
