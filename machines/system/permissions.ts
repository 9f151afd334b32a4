import type { CameraScan } from '../camera/events.ts';
import type { MicrophoneContext } from '../microphone/events.ts';

/** State of a right (as in panel-assistant). */
export const permissionWords = ['held', 'missing', 'not_required', 'unreadable'] as const;
export type PermissionWord = (typeof permissionWords)[number];

/** Rights that panel-assistant requests from Android; here they protect nothing. */
const notRequired = {
  notifications: 'not_required',
  write_settings: 'not_required',
  overlay: 'not_required',
  accessibility: 'not_required',
} as const;

function cameraWord(scan: CameraScan | null): PermissionWord {
  if (scan === null) return 'unreadable';
  if (scan.found === 'devices') return scan.refused === scan.count ? 'missing' : 'held';
  return scan.detail === 'undetermined' ? 'unreadable' : 'not_required';
}

/** What the right to the microphone depends on. */
export type MicrophoneRight = Pick<MicrophoneContext, 'scan' | 'permission' | 'isVoiceOn'>;

/** Held is what a person allowed; it is not required while voice is off, nor without a microphone. */
function microphoneWord(facts: MicrophoneRight | null): PermissionWord {
  if (facts === null || facts.scan === null) return 'unreadable';
  const { scan, permission, isVoiceOn } = facts;
  if (scan.found === 'none' && scan.detail !== 'undetermined') return 'not_required';
  if (scan.found === 'devices' && scan.refused === scan.count) return 'missing';
  if (permission === 'allowed') return 'held';
  return isVoiceOn ? 'missing' : 'not_required';
}

/** The rights of the agent, with the result of the last scan for cameras, null before it has ended. */
export const permissionsOf = (
  scan: CameraScan | null,
  microphone: MicrophoneRight | null,
): Readonly<Record<keyof typeof notRequired | 'camera' | 'microphone', PermissionWord>> => ({
  ...notRequired,
  microphone: microphoneWord(microphone),
  camera: cameraWord(scan),
});
