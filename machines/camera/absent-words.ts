import type { CameraScan } from './events.ts';

/** Words of the camera object: a summary of one sentence, and what would change it. */
export interface Words {
  readonly summary: string;
  /** `none` if there is nothing to do. */
  readonly action: string;
}

/** Words and code of a panel without a camera. */
export interface AbsentWords extends Words {
  readonly fault_detail: 'suppressed_by_profile' | 'not_enumerated' | 'undetermined';
}

/** Why there is no camera; null means that the first scan has not ended. */
export function absentWords(scan: Extract<CameraScan, { readonly found: 'none' }> | null): AbsentWords {
  if (scan === null) {
    return {
      fault_detail: 'undetermined',
      summary: 'Sconce is still looking for a camera.',
      action: 'Wait a moment: the first scan is still running.',
    };
  }
  switch (scan.detail) {
    case 'suppressed_by_profile':
      return {
        fault_detail: 'suppressed_by_profile',
        summary: "This panel's profile says that it has no camera.",
        action: 'Choose another profile if this panel does have a camera.',
      };
    case 'not_enumerated':
      return {
        fault_detail: 'not_enumerated',
        summary: 'No camera is connected to this machine.',
        action: 'Connect a camera, or load its kernel driver; Sconce looks again every minute.',
      };
    case 'undetermined':
      return {
        fault_detail: 'undetermined',
        summary: 'Sconce could not list the video devices of this machine.',
        action: 'Let the user that runs Sconce read /sys/class/video4linux; Sconce looks again every minute.',
      };
  }
}
