import type { CapabilityRow } from '#machines/kit/status.ts';
import type { MicrophoneDocument, PipelinesDocument } from '#machines/voice/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t, tOr } from '../strings/t.ts';
import type { StateWord } from './state-mark.tsx';

/** What the page is drawn from. */
export interface VoiceProps {
  readonly microphone: MicrophoneDocument;
  /** Null while Home Assistant has not listed them. */
  readonly pipelines: PipelinesDocument | null;
  /** Verdict of the microphone; null without one. */
  readonly verdict: CapabilityRow | null;
  readonly now: number;
}

export type Pipeline = PipelinesDocument['pipelines'][number];

/** Verdict of the microphone, which has the command that grants access. */
export const verdictOf = ({ capabilities }: Pick<StatusDocument, 'capabilities'>): CapabilityRow | null =>
  capabilities.find(({ id }) => id === 'microphone') ?? null;

/** Phases of a turn, which can be cancelled. */
const running: ReadonlySet<MicrophoneDocument['state']> = new Set(['listening', 'processing', 'responding']);

export const isTurn = ({ state }: Pick<MicrophoneDocument, 'state'>): boolean => running.has(state);
export const isChecking = ({ check }: Pick<MicrophoneDocument, 'check'>): boolean =>
  check?.phase === 'recording' || check?.phase === 'playing';
export const isBusy = (doc: Pick<MicrophoneDocument, 'state' | 'check'>): boolean => isTurn(doc) || isChecking(doc);

/** The pipeline that a press uses; null while it is not known. */
export function pressedPipeline(pipelines: PipelinesDocument | null): Pipeline | null {
  const of = (id: string | null): Pipeline | undefined => pipelines?.pipelines.find((one) => one.id === id);
  return of(pipelines?.press ?? null) ?? of(pipelines?.preferred ?? null) ?? null;
}

const sourceSteps = ['no-recorder', 'source-unknown', 'no-echo-cancelled'] as const;
type SourceStep = (typeof sourceSteps)[number];

/** What a person has to do before a turn can begin. */
export type VoiceStep =
  | 'off'
  | 'needed'
  | 'denied'
  | 'asking'
  | 'no-place'
  | SourceStep
  | Exclude<NonNullable<MicrophoneDocument['refusal']>, 'off' | 'busy' | 'checking' | 'not-allowed'>;

/** The single next step; null if a turn can begin, or runs. */
export function voiceStep({ refusal, permission, failure }: MicrophoneDocument): VoiceStep | null {
  if (refusal === null || refusal === 'busy' || refusal === 'checking') return null;
  if (refusal === 'not-allowed') return permission === 'allowed' ? 'needed' : permission;
  // The sound system is more specific than that no microphone can be used.
  const ofSource = sourceSteps.find((step) => step === failure);
  return refusal === 'no-microphone' && ofSource !== undefined ? ofSource : refusal;
}

/** State of voice in the words of the product. */
export function voiceWord(doc: MicrophoneDocument): StateWord {
  const step = voiceStep(doc);
  if (step === null) return doc.state === 'error' ? 'needs_you' : 'working';
  if (step === 'off') return 'off';
  return step === 'unavailable' || step === 'parked' ? 'checking' : 'needs_you';
}

/** Why a turn or check ended, in words: of the code, else of its family (`stt-...`); the code itself for neither. */
export function codeWords(code: string): string {
  const [family = ''] = code.split('-');
  return tOr(`voice.code.${code}`, tOr(`voice.code.${family}`, code));
}

/** True if Home Assistant may have listed its pipelines: before, to ask for them is refused. */
export const mayKnowPipelines = ({ state, refusal }: MicrophoneDocument): boolean =>
  state !== 'off' && refusal !== 'signed-out' && refusal !== 'unavailable';

/** What voice does now, as one sentence. */
export function voiceSentence(doc: MicrophoneDocument): string {
  const step = voiceStep(doc);
  if (step === 'off') return t('voice.say.off');
  if (step !== null) return t('voice.say.not_ready');
  if (isChecking(doc)) return t('voice.say.checking');
  if (doc.state === 'error' && doc.fault !== null) return t('voice.say.failed', { why: codeWords(doc.fault) });
  return t(`voice.say.${doc.state}`);
}
