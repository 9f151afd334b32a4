import type { MicrophoneDocument } from '#machines/voice/document.ts';
import { t } from '../strings/t.ts';
import { ago } from '../strings/times.ts';
import { Note } from './note.tsx';
import { codeWords, isBusy, type VoiceProps, voiceStep } from './voice-facts.ts';

type Last = NonNullable<MicrophoneDocument['last']>;

/** The stages in the order in which they come. */
const stages = [
  'opened',
  'started',
  'speech_ended',
  'understood',
  'decided',
  'answered',
  'sounded',
  'ended',
] as const satisfies readonly (keyof Last['times'])[];

/** Seconds with two decimals. */
const secondsOf = (ms: number): string => t('voice.seconds', { seconds: (ms / 1000).toFixed(2) });

interface Stage {
  readonly name: (typeof stages)[number];
  readonly at: number;
}

/** The stages that came. */
const cameIn = ({ times }: Last): readonly Stage[] =>
  stages.flatMap((name) => {
    const at = times[name];
    return at === null ? [] : [{ name, at }];
  });

function Stages({ last }: { readonly last: Last }) {
  const came = cameIn(last);
  const whole = Math.max(1, ...came.map(({ at }) => at));
  return (
    <ol class="voice-stages">
      {came.map(({ name, at }) => (
        <li key={name}>
          <span>{t(`voice.stage.${name}`)}</span>
          <span class="control-value">{secondsOf(at)}</span>
          <progress class="bar voice-line" max={whole} value={at} aria-hidden="true"></progress>
        </li>
      ))}
    </ol>
  );
}

function resultWords({ outcome, code }: Last): string {
  if (outcome === 'failed') return t('voice.test.failed', { why: codeWords(code ?? '') });
  return code === null ? t(`voice.test.${outcome}`) : t('voice.test.ended', { why: codeWords(code) });
}

/** A turn to try, and the times of the last one. */
export const VoiceTest = ({ microphone, now }: Pick<VoiceProps, 'microphone' | 'now'>) => (
  <section class="card stack" aria-labelledby="voice-test">
    <h2 id="voice-test">{t('voice.test')}</h2>
    <div class="voice-more" data-control>
      <div class="voice-go">
        <p class="hint">{t('voice.test.help')}</p>
        <Note />
        {voiceStep(microphone) !== null || isBusy(microphone) ? null : (
          <button type="button" class="button" data-voice="test" disabled>
            {t('voice.test.go')}
          </button>
        )}
      </div>
      {microphone.last === null ? (
        <p class="hint">{t('voice.test.none')}</p>
      ) : (
        <div class="voice-more">
          <p>
            <b>{t('voice.test.last', { ago: ago(microphone.last.at, now) })}</b>: {resultWords(microphone.last)}
          </p>
          <Stages last={microphone.last} />
        </div>
      )}
    </div>
  </section>
);
