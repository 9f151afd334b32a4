import type { Writable } from 'node:stream';

import type { Rotation } from './device.ts';
import type { CaptureFailure } from './faults.ts';

/** One way to open a camera, to be tried by running ffmpeg with it. */
export interface CaptureSource {
  /** Sources of one node are tried in order, until it proves to be no camera. */
  readonly node: string;
  readonly input: readonly string[];
  readonly rotate: Rotation;
  /** True if its device file is no longer there. */
  readonly isGone: () => boolean;
  /** Begins to deliver pictures on the standard input, until the returned function is called. */
  readonly feed?: (input: Writable, lost: (failure: CaptureFailure) => void) => () => void;
  /** Why it cannot be opened; null if only trying can tell. */
  readonly refusal?: () => CaptureFailure | null;
}
