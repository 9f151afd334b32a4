import type { JSX } from 'hono/jsx/jsx-runtime';
import { t } from '../strings/t.ts';
import { Command } from './command.tsx';
import { Note } from './note.tsx';
import { Sentence } from './sentence.tsx';
import { StateMark } from './state-mark.tsx';
import {
  isBusy,
  pressedPipeline,
  type VoiceProps,
  voiceSentence,
  type VoiceStep,
  voiceStep,
  voiceWord,
} from './voice-facts.ts';
import { VoiceSwitch } from './voice-switch.tsx';

const Act = ({ verb, words }: { readonly verb: string; readonly words: string }) => (
  <button type="button" class="button primary" data-voice={verb} disabled>
    {words}
  </button>
);

const Go = ({ href, words }: { readonly href: string; readonly words: string }) => (
  <a class="button primary" href={href}>
    {words}
  </a>
);

/** The command that grants access, from the verdict; its evidence without one. */
const Access = ({ verdict }: Pick<VoiceProps, 'verdict'>) =>
  verdict?.fix == null ? (
    <Go href="/#capability-microphone" words={t('voice.go.evidence')} />
  ) : (
    <Command fix={verdict.fix} />
  );

const Recorders = () => (
  <>
    <Command fix={{ command: 'sudo apt install pulseaudio-utils', effect: t('voice.effect.pulse') }} />
    <Command fix={{ command: 'sudo apt install alsa-utils', effect: t('voice.effect.alsa') }} />
  </>
);

/** What carries out a step, if a button, a link or a command does. */
function Means({ step, verdict }: { readonly step: VoiceStep } & Pick<VoiceProps, 'verdict'>): JSX.Element | null {
  switch (step) {
    case 'off':
      return <Act verb="on" words={t('voice.go.on')} />;
    case 'needed':
    case 'denied':
      return <Act verb="ask" words={t('voice.go.ask')} />;
    case 'no-place':
      return <Command fix={{ command: 'sconce microphone allow', effect: t('voice.effect.allow') }} />;
    case 'signed-out':
      return <Go href="/sign-in" words={t('voice.go.sign_in')} />;
    case 'microphone-refused':
      return <Access verdict={verdict} />;
    case 'no-recorder':
      return <Recorders />;
    case 'no-echo-cancelled':
      return <Go href="/configure/voice#field-voice_audio_source" words={t('voice.go.kind')} />;
    default:
      return null;
  }
}

function Step({ step, verdict, pipelines }: { readonly step: VoiceStep } & Pick<VoiceProps, 'verdict' | 'pipelines'>) {
  const name = pressedPipeline(pipelines)?.name ?? '';
  return (
    <div class="step">
      <p>
        <Sentence text={t(`voice.step.${step}`, { name })} />
      </p>
      <Means step={step} verdict={verdict} />
    </div>
  );
}

/** What voice does now, the single next step or Cancel, and the switch to turn it off again. */
export function VoiceNow(props: VoiceProps) {
  const { microphone } = props;
  const step = voiceStep(microphone);
  return (
    <section class="card stack voice-now" aria-labelledby="voice-now" data-phase={microphone.state} data-control>
      <div class="card-head">
        <h2 id="voice-now" class="unseen">
          {t('voice.now')}
        </h2>
        <p class="summary-sentence" role="status">
          {voiceSentence(microphone)}
        </p>
        <StateMark state={voiceWord(microphone)} />
      </div>
      <div class="voice-more">
        {step === null ? null : <Step step={step} verdict={props.verdict} pipelines={props.pipelines} />}
        {isBusy(microphone) ? <Act verb="cancel" words={t('voice.cancel')} /> : null}
      </div>
      <Note />
      {microphone.enabled ? (
        <div class="control-row">
          <span class="control-name" id="voice-switch">
            {t('voice.switch')}
          </span>
          <VoiceSwitch labelledBy="voice-switch" />
        </div>
      ) : null}
    </section>
  );
}
