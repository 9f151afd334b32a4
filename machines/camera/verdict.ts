import { checking, type Fix, type Verdict, verdictOf } from '../kit/verdict.ts';
import type { CameraContext } from './events.ts';

const videoGroup = (user: string | null): Fix => ({
  command: `sudo usermod -aG video ${user ?? '"$USER"'}`,
  effect: 'Lets the user of Sconce open video devices; start Sconce again afterwards.',
});

export function judgeCamera({ camera, scan, user = null }: CameraContext): Verdict {
  if (scan === null) return checking;
  if (scan.found === 'devices') {
    return scan.refused === scan.count
      ? verdictOf(
          'off',
          'camera-not-permitted',
          camera.summary,
          'Permission to open the video device, and a version of Sconce with a camera stream.',
          videoGroup(user),
        )
      : verdictOf('off', 'no-camera-session', camera.summary, 'A version of Sconce with a camera stream.');
  }
  switch (scan.detail) {
    case 'not_enumerated':
      return verdictOf('not_here', 'no-camera', camera.summary, 'A camera.');
    case 'suppressed_by_profile':
      return verdictOf('not_here', 'no-camera-by-profile', camera.summary);
    case 'undetermined':
      return verdictOf('off', 'camera-undetermined', camera.summary, 'Permission to list the video devices.');
  }
}
