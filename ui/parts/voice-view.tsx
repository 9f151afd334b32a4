import type { VoiceProps } from './voice-facts.ts';
import { VoiceMicrophone } from './voice-microphone.tsx';
import { VoiceNow } from './voice-now.tsx';
import { VoicePipelines } from './voice-pipelines.tsx';
import { VoiceTest } from './voice-test.tsx';

/** Everything of the page that follows the panel. */
export const VoiceView = (props: VoiceProps) => (
  <div class="stack">
    <VoiceNow {...props} />
    <div class="voice-columns">
      <VoiceMicrophone microphone={props.microphone} />
      <VoicePipelines pipelines={props.pipelines} />
      <VoiceTest microphone={props.microphone} now={props.now} />
    </div>
  </div>
);
