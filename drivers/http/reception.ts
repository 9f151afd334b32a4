import type { UploadedFile } from '#machines/http/events.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { ListenerBounds } from './bounds.ts';
import type { InFlight } from './in-flight.ts';
import { createIntake, type Unreceived as Uncollected } from './intake.ts';
import { removeLeftovers } from './leftovers.ts';
import { answerRefusal, refusals, type Refusal } from './refusal.ts';
import type { StallClock } from './stalled.ts';
import type { Unreceived, Uploads, UploadScope } from './uploads.ts';

const uploading = chunk(() => import('./uploads.ts'));

/** Bodies that are received into files. */
export interface UploadDeps extends Pick<UploadScope, 'folder' | 'freeBytes'> {
  /** True if the bodies of a path are received into files. */
  readonly isFor: (method: string, path: string) => boolean;
}

export interface ReceptionDeps {
  readonly uploads?: UploadDeps;
  readonly onHandlerFailure?: (code: string) => void;
}

/** Receives the bodies of requests, in memory or into files. */
export interface Reception {
  /** True once the whole body is there; false if its sender was refused or has left. */
  readonly receive: (inFlight: InFlight) => Promise<boolean>;
  /** Called when its request was answered: its body is discarded. */
  readonly release: (inFlight: InFlight) => void;
  /** Resolves when no file is left. */
  readonly stop: () => Promise<void>;
}

const refusalFor: Readonly<Record<Exclude<Uncollected | Unreceived, 'gone'>, Refusal>> = {
  'too-large': refusals.tooLarge,
  'too-slow': refusals.tooSlow,
  full: refusals.tooManyUploads,
  busy: refusals.uploadBusy,
  'no-space': refusals.noSpace,
  failed: refusals.internal,
};

/** Those after which nothing more of the body is read: its sender sends nothing, or too many do. */
const unreadAfter: ReadonlySet<string> = new Set(['too-slow', 'full']);

/** A body in a file leaves none for the library. */
const nothing = Buffer.alloc(0);

export function createReception(
  { uploads: wanted, onHandlerFailure = () => {} }: ReceptionDeps,
  scope: {
    readonly bounds: ListenerBounds;
    readonly clock: StallClock;
    readonly guard: (fn: () => void) => () => void;
  },
): Reception {
  const intake = createIntake(scope.bounds, scope.guard, scope.clock);
  const swept = wanted === undefined ? Promise.resolve() : removeLeftovers(wanted.folder);
  let uploads: Uploads | null = null;
  let isStopped = false;

  const load = async (deps: UploadDeps): Promise<Uploads> => {
    const { createUploads } = await uploading();
    return (uploads ??= createUploads({ ...deps, ...scope, onFailure: onHandlerFailure }, swept));
  };
  const receiveFile = async (inFlight: InFlight, deps: UploadDeps): Promise<UploadedFile | Unreceived> => {
    inFlight.phase = 'uploading';
    const files = uploads ?? (await load(deps));
    // It may have left meanwhile.
    return isStopped || inFlight.phase !== 'uploading' ? 'gone' : files.receive(inFlight);
  };
  const receiveBuffer = (inFlight: InFlight): Promise<Buffer | Uncollected> => {
    inFlight.phase = 'collecting';
    if (inFlight.isAsking) inFlight.writeContinue();
    return intake.receive(inFlight);
  };
  const release = (inFlight: InFlight): void => {
    intake.release(inFlight);
    uploads?.release(inFlight);
  };
  const receive = (inFlight: InFlight): Promise<Buffer | UploadedFile | Uncollected | Unreceived> =>
    wanted?.isFor(inFlight.req.method ?? '', inFlight.target.path) === true
      ? receiveFile(inFlight, wanted)
      : receiveBuffer(inFlight);

  return {
    receive: async (inFlight) => {
      // Before the next request of its connection begins.
      inFlight.once('finish', () => release(inFlight));
      inFlight.once('close', () => {
        // Its handler goes on where it holds a place; where it waits without one, it is never resumed.
        if (inFlight.phase !== 'making') release(inFlight);
      });
      const body = await receive(inFlight);
      if (body === 'gone') return false;
      if (typeof body === 'string') {
        answerRefusal(inFlight.req, inFlight, refusalFor[body], { reads: !unreadAfter.has(body) });
        return false;
      }
      if (inFlight.phase !== 'collecting' && inFlight.phase !== 'uploading') {
        release(inFlight);
        return false;
      }
      const isHeld = Buffer.isBuffer(body);
      if (!isHeld) inFlight.upload = body;
      // The library takes a body that was received before from this field.
      Object.assign(inFlight.req, { rawBody: isHeld ? body : nothing });
      return true;
    },
    release,
    stop: async () => {
      isStopped = true;
      intake.stop();
      await uploads?.stop();
    },
  };
}
