import { projectCamera } from '#machines/camera/project-camera.ts';
import { projectProbe } from '#machines/path-probe/project-probe.ts';
import { nothingKnown } from '#machines/storage-health/judge-storage.ts';
import { projectStorage } from '#machines/storage-health/project-storage.ts';

/** The camera object while its part is being restarted: nobody has looked yet, and it says so. */
export const absentCamera = projectCamera(null);

/** The path probe while its part is being restarted; `family` is reported in every state (contract). */
export const unprovenPath = projectProbe('ipv4', null);

/** Storage health while its part is being restarted: unknown, never shown as healthy. */
export const uncheckedStorage = projectStorage(nothingKnown);
