import type { CameraScan } from '../camera/events.ts';

/** How a right stands (as panel-assistant). */
export const permissionWords = ['held', 'missing', 'not_required', 'unreadable'] as const;
export type PermissionWord = (typeof permissionWords)[number];

/** Rights that panel-assistant asks Android for; here the first four guard nothing, and nothing listens. */
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

/** The rights of the agent, with what the last look for cameras found; null before it has ended. */
export const permissionsOf = (
  scan: CameraScan | null,
): Readonly<Record<keyof typeof notRequired | 'camera', PermissionWord>> => ({
  ...notRequired,
  camera: cameraWord(scan),
});
