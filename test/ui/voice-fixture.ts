import { closedVoice } from '#machines/voice/off.ts';
import { microphoneDocument, pipelinesDocument, type PipelinesDocument } from '#machines/voice/document.ts';
import type { VoicePhase } from '#machines/kit/voice-phase.ts';
import type { VoiceContext } from '#machines/voice/events.ts';
import { allowedMicrophone, readyVoice, stateIn } from '#test/fakes/voice.ts';
import type { VoiceProps } from '#ui/parts/voice-facts.ts';
import { fixtureNow } from './fixture.ts';

interface Facts {
  readonly voice?: Partial<VoiceContext>;
  readonly phase?: VoicePhase;
  readonly microphone?: Partial<typeof allowedMicrophone>;
  readonly values?: Readonly<Record<string, string | number | boolean>>;
}

/** What the page is drawn from, as the routes make it; ready for a press without any of these. */
export function voiceProps({ voice = {}, phase = 'idle', microphone = {}, values = {} }: Facts = {}): VoiceProps {
  const context = phase === 'off' ? { ...closedVoice, ...voice } : { ...readyVoice, ...voice };
  const facts = {
    voice: { value: stateIn(phase), context },
    microphone: { ...allowedMicrophone, ...microphone },
    values,
  };
  const listed = pipelinesDocument(facts);
  const pipelines: PipelinesDocument | null = 'missing' in listed ? null : listed;
  return { microphone: microphoneDocument(facts), pipelines, verdict: null, now: fixtureNow };
}
