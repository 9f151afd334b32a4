import { checking, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import { absentWords } from './absent-words.ts';
import type { CameraContext, CameraScan, SessionSummary } from './events.ts';
import { faultWords, needsPerson, videoGroup } from './fault-words.ts';

type Devices = Extract<CameraScan, { readonly found: 'devices' }>;

const missingRight = 'Permission to open the video device.';

function judgeOff({ refused, count }: Devices, user: string | null): Verdict {
  return refused === count
    ? verdictOf(
        'off',
        'camera-not-permitted',
        'The camera is off, and Sconce may not open it.',
        missingRight,
        videoGroup(user),
      )
    : verdictOf(
        'off',
        'camera-off',
        'The camera is off.',
        'Your consent in front of the panel: turn it on under Configure > Camera.',
      );
}

/** A reason of its own where the command differs; else that of the fault. */
const reasonOf = ({ fault, faultDetail }: SessionSummary): string =>
  faultDetail === 'ffmpeg-missing' || faultDetail === 'busy'
    ? `camera-${faultDetail}`
    : `camera-${fault.replaceAll('_', '-')}`;

function judgeSession(session: SessionSummary, user: string | null): Verdict {
  const { phase, fault, faultDetail } = session;
  if (fault === 'none') {
    return phase === 'live'
      ? working('camera-in-use', 'The camera is in use, and the panel shows it.')
      : working('camera-ready', 'The camera is closed until a picture or the stream is asked for.');
  }
  const { summary, action, fix } = faultWords(fault, faultDetail, user);
  return needsPerson(fault, faultDetail)
    ? verdictOf('needs_you', reasonOf(session), summary, action, fix)
    : working('camera-waits', `${summary} ${action}`);
}

/** Whether this panel has a camera, whether it is on, and whether it works. */
export function judgeCamera({ scan, user, isEnabled, session }: CameraContext): Verdict {
  if (scan === null) return checking;
  if (scan.found === 'devices') {
    if (!isEnabled) return judgeOff(scan, user);
    if (session?.phase === 'live') return judgeSession(session, user);
    if (scan.refused === scan.count) {
      const { summary, fix } = faultWords('permission', null, user);
      return verdictOf('needs_you', 'camera-not-permitted', summary, missingRight, fix);
    }
    return session === null
      ? verdictOf('checking', 'camera-starting', 'The camera is getting ready.', 'A moment.')
      : judgeSession(session, user);
  }
  const { summary } = absentWords(scan);
  switch (scan.detail) {
    case 'not_enumerated':
      return verdictOf('not_here', 'no-camera', summary, 'A camera.');
    case 'suppressed_by_profile':
      return verdictOf('not_here', 'no-camera-by-profile', summary);
    case 'undetermined':
      return verdictOf('off', 'camera-undetermined', summary, 'Permission to list the video devices.');
  }
}
