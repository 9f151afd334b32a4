import type { CameraFault } from '../camera-session/events.ts';
import { ownField } from '../kit/own-field.ts';
import type { Fix } from '../kit/verdict.ts';
import type { Words } from './absent-words.ts';

/** Words of a fault, and the one command that helps, if any. */
export interface FaultWords extends Words {
  readonly fix: Fix | null;
}

const plugAgain = 'Unplug the camera and plug it in again.';

const plain = (summary: string, action: string): FaultWords => ({ summary, action, fix: null });

const commanded = (summary: string, fix: Fix, then: string): FaultWords => ({
  summary,
  action: `Run: ${fix.command}${then}`,
  fix,
});

/** Gives the user of the agent the right to open the camera. */
export const videoGroup = (user: string | null): Fix => ({
  command: `sudo usermod -aG video ${user ?? '"$USER"'}`,
  effect: 'Lets the user of Sconce open video devices; start Sconce again afterwards.',
});

const ffmpeg: Fix = {
  command: 'sudo apt install ffmpeg',
  effect: 'Installs ffmpeg, with which Sconce reads and encodes the pictures of the camera.',
};

/** Words where a fault's code says more than the fault. */
const byDetail: Readonly<Record<string, FaultWords>> = {
  'open/busy': plain(
    'Another program uses the camera.',
    'Close the other program; Sconce tries again with the next request.',
  ),
  'stream_encoder/ffmpeg-missing': commanded('ffmpeg is not installed, so no picture can be encoded.', ffmpeg, ''),
  'indication/dark-without-led': plain(
    'A screen is dark and this panel has no LED, so nothing would surely show that the camera is in use.',
    'Turn on each screen.',
  ),
  'indication/led-failed': plain(
    'The LED did not show that the camera is in use.',
    'Check that the LED works, or turn on the screen.',
  ),
  'indication/unconfirmed': plain(
    'The mark that shows that the camera is in use could not be confirmed on the screen.',
    'Check that the screen shows a page; reload the dashboard if it hangs.',
  ),
  'foreground/starting': plain(
    'The browser is still starting, so it cannot show that the camera is in use.',
    'Wait a moment.',
  ),
  'foreground/no-renderer': plain(
    'Sconce runs without a browser (`--renderer none`), so it cannot show that the camera is in use.',
    'Start Sconce with its browser on the screen.',
  ),
  'foreground/headless': plain(
    'The browser draws off-screen, so it cannot show that the camera is in use.',
    'Start Sconce with its browser on the screen.',
  ),
  'foreground/foreign-browser': plain(
    'Firefox shows the dashboard; Sconce cannot show there that the camera is in use.',
    'Choose Chromium as the browser.',
  ),
  'foreground/android': plain(
    'On an Android panel Sconce cannot show that the camera is in use.',
    'Use the camera of a panel on which Sconce itself runs.',
  ),
  'foreground/no-browser': plain(
    'There is no browser on the screen, so nothing could show that the camera is in use.',
    'Get the dashboard to show first.',
  ),
};

const byFault: Readonly<Record<Exclude<CameraFault, 'none' | 'permission'>, FaultWords>> = {
  indication: plain('Nothing could show that the camera is in use.', 'Turn on the screen.'),
  foreground: plain('No screen could show that the camera is in use.', 'Get the dashboard to show first.'),
  open: plain('The camera could not be opened.', plugAgain),
  configure: plain(
    'The camera offers no pictures that Sconce can read.',
    'Choose another resolution, or connect another camera.',
  ),
  device_error: plain('The camera stopped with an error.', plugAgain),
  disconnected: plain('The camera was unplugged.', 'Plug the camera in again.'),
  starved: plain('The camera delivers no pictures.', plugAgain),
  encode: plain('The encoder stopped.', 'Choose a lower resolution if it stops again and again.'),
  stream_encoder: plain('The encoder could not be started.', 'Install ffmpeg again, with the encoder libx264.'),
};

/** What is broken, in words; `user` is the one that the agent runs as. */
export function faultWords(
  fault: Exclude<CameraFault, 'none'>,
  detail: string | null,
  user: string | null,
): FaultWords {
  if (fault === 'permission')
    return commanded('Sconce may not open the camera.', videoGroup(user), ' and then start Sconce again.');
  return ownField(byDetail, `${fault}/${detail ?? ''}`) ?? byFault[fault];
}

/** Codes of what passes by itself, or needs no more than a lit screen: the camera counts as working. */
const passing: readonly string[] = ['dark-without-led', 'unconfirmed', 'starting'];

/** True if a person must do something about a fault. */
export const needsPerson = (fault: CameraFault, detail: string | null): boolean =>
  fault !== 'none' && !((fault === 'indication' || fault === 'foreground') && passing.includes(detail ?? ''));
