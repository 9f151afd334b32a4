import type { CameraScan } from '../camera/events.ts';

/** State of a right (as in panel-assistant). */
export const permissionWords = ['held', 'missing', 'not_required', 'unreadable'] as const;
export type PermissionWord = (typeof permissionWords)[number];

/** Rights that panel-assistant requests from Android; here the first four protect nothing, and nothing listens. */
const notRequired = {
  notifications: 'not_required',
  write_settings: 'not_required',
  overlay: 'not_required',
  accessibility: 'not_required',
  microphone: 'not_required',
} as const;

function cameraWord(scan: CameraScan | null): PermissionWord {
  if (scan === null) return 'unreadable';
  if (scan.found === 'devices') return scan.refused === scan.count ? 'missing' : 'held';
  return scan.detail === 'undetermined' ? 'unreadable' : 'not_required';
}

/** The rights of the agent, with the result of the last scan for cameras; null before it has ended. */
export const permissionsOf = (
  scan: CameraScan | null,
): Readonly<Record<keyof typeof notRequired | 'camera', PermissionWord>> => ({
  ...notRequired,
  camera: cameraWord(scan),
});
