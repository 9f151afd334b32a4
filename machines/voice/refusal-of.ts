import type { SnapshotView } from '../kit/snapshot.ts';
import { voicePhaseOf } from '../kit/voice-phase.ts';
import type { MicrophoneContext } from '../microphone/events.ts';
import type { TriggerRefusal, VoiceContext } from './events.ts';

/** Without one, no person is asked to allow it (`machines/microphone`). */
const isAbsent = ({ scan }: Pick<MicrophoneContext, 'scan'>): boolean =>
  scan?.found === 'none' && scan.detail !== 'undetermined';

/**
 * Why no turn can begin now; null if one can. While voice does not run: that it is off, that there is no microphone, or
 * that it is not allowed.
 */
export function refusalOf(
  { value, context }: SnapshotView<VoiceContext>,
  microphone: Pick<MicrophoneContext, 'isVoiceOn' | 'permission' | 'scan'> | undefined,
): TriggerRefusal | null {
  if (voicePhaseOf(value) !== 'off') return context.refusal;
  if (microphone?.isVoiceOn !== true || microphone.permission === 'allowed') return 'off';
  return isAbsent(microphone) ? 'no-microphone' : 'not-allowed';
}
