import type { StatusDocument } from '#machines/status.ts';
import type { WatcherKind } from '#machines/camera-session/events.ts';
import type { Sections } from './sections.ts';

/** Sections of the status from which the camera is drawn. */
export const cameraReads = ['camera', 'camera_watchers', 'configuration'] as const;

/** Streams of one kind of client. */
export interface WatchedBy {
  readonly kind: WatcherKind;
  readonly count: number;
  /** When the first of them began to play, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** What the pages show of the camera. */
export interface CameraFacts {
  readonly camera: StatusDocument['camera'];
  /** `absent`: there is no camera, and nothing of it is shown. */
  readonly is: 'absent' | 'off' | 'on';
  readonly watchers: readonly WatchedBy[];
  /** True if it was turned off, and the disk has not taken that yet. */
  readonly isOffUnsaved: boolean;
}

/** One entry for each kind, by when it began. */
function byKind(watchers: StatusDocument['camera_watchers']): readonly WatchedBy[] {
  const found = new Map<WatcherKind, WatchedBy>();
  for (const { kind, since } of watchers) {
    const before = found.get(kind);
    found.set(kind, { kind, count: (before?.count ?? 0) + 1, since: Math.min(before?.since ?? since, since) });
  }
  return Array.from(found.values()).sort((a, b) => a.since - b.since);
}

/** True if the switch is on: the camera may be opened for any client that asks. */
const isOn = ({ state }: StatusDocument['camera']): boolean => state !== 'absent' && state !== 'disabled';

/** How the camera is, by what the status tells. */
export function cameraIs({ camera }: Sections<'camera'>): CameraFacts['is'] {
  if (camera.state === 'absent') return 'absent';
  return isOn(camera) ? 'on' : 'off';
}

/** The one place where the pages read the camera from the status. */
export function cameraFacts(status: Sections<(typeof cameraReads)[number]>): CameraFacts {
  return {
    camera: status.camera,
    is: cameraIs(status),
    watchers: byKind(status.camera_watchers),
    isOffUnsaved: status.configuration.unsaved_off.includes('camera_enabled'),
  };
}
