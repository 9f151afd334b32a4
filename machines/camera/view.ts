import type { CameraScan, CameraObject } from './events.ts';

interface Wording {
  readonly fault_detail: CameraObject['fault_detail'];
  readonly summary: string;
  readonly action: string;
}

function wordsFor(scan: CameraScan | null): Wording {
  if (scan === null) {
    return {
      fault_detail: 'undetermined',
      summary: 'Sconce is still looking for a camera.',
      action: 'Wait a moment: the first scan is still running.',
    };
  }
  if (scan.found === 'devices') {
    const cameras = scan.count === 1 ? 'a camera' : `${scan.count} cameras`;
    return scan.refused === scan.count
      ? {
          fault_detail: 'undetermined',
          summary: `This machine seems to have ${cameras}, but Sconce may not open it, and this version has no camera stream.`,
          action:
            'Add the user that runs Sconce to the group video and start Sconce again; pictures need a version with a camera stream.',
        }
      : {
          fault_detail: 'undetermined',
          summary: `This machine seems to have ${cameras}. This version has no camera stream, so it was not opened.`,
          action: 'Install a version of Sconce with a camera stream.',
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

/** The contract's camera object for a scan; null means that the first scan has not ended. */
export function cameraView(scan: CameraScan | null): CameraObject {
  const words = wordsFor(scan);
  return {
    state: 'absent',
    outcome: 'camera-unavailable',
    fault: 'none',
    fault_detail: words.fault_detail,
    recovery: 'none',
    clients: 0,
    last_frame_age_ms: null,
    consecutive_failures: 0,
    indication: 'none',
    live: false,
    stream_clients: 0,
    stream_port: null,
    requested_fps: null,
    encoder: null,
    encode_width: null,
    encode_height: null,
    encode_fps: null,
    encode_kbps: null,
    delivered_fps: null,
    delivered_kbps: null,
    snapshot_exposure: 'none',
    snapshot_exposure_fallbacks: 0,
    summary: words.summary,
    action: words.action,
  };
}
