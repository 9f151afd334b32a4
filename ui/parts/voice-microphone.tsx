import type { MicrophoneDocument } from '#machines/voice/document.ts';
import { t } from '../strings/t.ts';
import { Note } from './note.tsx';
import { codeWords, isBusy, isChecking } from './voice-facts.ts';

interface Props {
  readonly microphone: MicrophoneDocument;
}

/** Range of the gain in decibels (setting `voice_mic_gain_db`). */
const [LOW, HIGH] = [-24, 24];

/** The gain with its sign. */
export const gainWords = (gain: number): string =>
  t('voice.gain.db', { gain: gain > 0 ? `+${gain}` : `${gain}`.replace('-', '−') });

type Source = MicrophoneDocument['sources'][number];

const nameOf = ({ title, muted }: Source): string => (muted ? t('voice.use.muted', { name: title }) : title);

/** Which one is used, and how it is. */
function Used({ microphone }: Props) {
  const used = microphone.sources.find(({ name }) => name === microphone.chosen);
  return used === undefined ? (
    <p>{t('voice.mic.none')}</p>
  ) : (
    <p>
      <b>{used.title}</b>{' '}
      <span class="hint">
        {t(`voice.kind.${used.kind}`)}, {t(`voice.health.${microphone.health}`)}
      </span>
    </p>
  );
}

const Level = ({ microphone: { level } }: Props) => (
  <div class="voice-level">
    <span class="control-name" id="voice-level">
      {t('voice.level')}
    </span>
    <span class="control-value">
      {level < 0 ? t('voice.level.closed') : t('voice.level.percent', { percent: Math.round(level) })}
    </span>
    <progress class="bar" max={100} value={Math.max(0, level)} aria-labelledby="voice-level"></progress>
  </div>
);

function Choose({ microphone: { sources, choice } }: Props) {
  const isGone = choice.source !== '' && !sources.some(({ name }) => name === choice.source);
  return (
    <div class="voice-field">
      <label class="label" for="voice-source">
        {t('voice.use')}
      </label>
      <select class="input" id="voice-source" data-voice-set="voice_source" disabled>
        <option value="" selected={choice.source === ''}>
          {t('voice.use.auto')}
        </option>
        {sources.map((source) => (
          <option key={source.name} value={source.name} selected={source.name === choice.source}>
            {nameOf(source)}
          </option>
        ))}
        {isGone ? (
          <option value={choice.source} selected>
            {t('voice.use.gone', { name: choice.source })}
          </option>
        ) : null}
      </select>
    </div>
  );
}

const Gain = ({ microphone: { choice } }: Props) => (
  <div class="control-row">
    <label class="control-name" for="voice-gain">
      {t('voice.gain')}
    </label>
    <output class="control-value" for="voice-gain" data-of="voice-gain">
      {gainWords(choice.gain_db)}
    </output>
    <input
      type="range"
      class="range"
      id="voice-gain"
      min={LOW}
      max={HIGH}
      step="1"
      value={choice.gain_db}
      aria-valuetext={gainWords(choice.gain_db)}
      data-voice-set="voice_mic_gain_db"
      disabled
    />
  </div>
);

function checkWords({ check }: MicrophoneDocument): string {
  if (check === null) return t('voice.check.help');
  if (check.phase === 'failed') return t('voice.check.failed', { why: codeWords(check.code ?? check.health) });
  return t(`voice.check.${check.phase}`, { percent: Math.round(Math.max(0, check.level)) });
}

const Check = ({ microphone }: Props) => (
  <div class="voice-check" data-control>
    <p class={microphone.check?.phase === 'failed' ? 'said refused' : 'hint'} role="status">
      {checkWords(microphone)}
    </p>
    <Note />
    {isChecking(microphone) ? <progress class="bar" aria-label={t('voice.say.checking')}></progress> : null}
    {isBusy(microphone) ? null : (
      <button type="button" class="button" data-voice="check" disabled>
        {t(microphone.check === null ? 'voice.check' : 'voice.check.again')}
      </button>
    )}
  </div>
);

/** What there is to see and to do of the one that is used. */
const Open = ({ microphone }: Props) => (
  <div class="voice-more">
    <div>
      <Level microphone={microphone} />
      {microphone.level < 0 ? <p class="hint">{t('voice.level.help')}</p> : null}
    </div>
    <Gain microphone={microphone} />
    <Check microphone={microphone} />
  </div>
);

/** The microphone: which one is used, how loud it is, another one, its gain, and a check. */
export const VoiceMicrophone = ({ microphone }: Props) => (
  <section class="card stack" aria-labelledby="voice-mic">
    <h2 id="voice-mic">{t('voice.mic')}</h2>
    {microphone.state === 'off' ? (
      <p class="hint">{t('voice.mic.off')}</p>
    ) : (
      <div class="voice-more" data-control>
        <Used microphone={microphone} />
        <Note />
        {microphone.sources.length === 0 ? null : <Choose microphone={microphone} />}
        {microphone.chosen === null ? null : <Open microphone={microphone} />}
      </div>
    )}
    <p class="hint">
      <a href="/configure/voice">{t('voice.settings')}</a>
    </p>
  </section>
);
