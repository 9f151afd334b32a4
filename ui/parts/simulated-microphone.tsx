import type { SimulatedMicrophone } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { Sentence } from './sentence.tsx';
import { Toggle } from './simulator-controls.tsx';

/** What can be done to it, in the order of its card. */
const states = [
  'plugged',
  'muted',
  'stalled',
  'occupied',
  'permitted',
] as const satisfies readonly (keyof SimulatedMicrophone)[];

/** Longest sentence that is spoken, in characters. */
const SENTENCE = 200;

const yesNo = (yes: boolean): string => (yes ? t('sim.yes') : t('sim.no'));

/** What is said to the panel; its script owns it, so that a sentence stays while the page is redrawn. */
const Say = () => (
  <sconce-say data-keep>
    <form class="sim-say" novalidate autocomplete="off">
      <label class="label" for="sim-say">
        {t('sim.say')}
      </label>
      <div class="sim-say-row">
        <input class="input" id="sim-say" name="text" maxlength={SENTENCE} aria-describedby="sim-say-help" disabled />
        <button type="submit" class="button" disabled>
          {t('sim.say_go')}
        </button>
      </div>
      <label class="sim-say-file">
        <span class="hint">{t('sim.say_file')}</span>
        <input type="file" name="file" accept=".wav,audio/wav,audio/x-wav" disabled />
      </label>
      <p class="hint" id="sim-say-help">
        {t('sim.say_help')}
      </p>
      <p class="said" role="status"></p>
    </form>
  </sconce-say>
);

/** The simulated microphone: what is done to it, how the panel sees that, and what is said to it. */
export const SimulatedMicrophoneCard = ({
  status,
  microphone,
}: {
  readonly status: Pick<StatusDocument, 'voice'>;
  readonly microphone: SimulatedMicrophone;
}) => (
  <section class="card" aria-labelledby="sim-microphone-title">
    <h2 id="sim-microphone-title">{t('sim.microphone')}</h2>
    {status.voice === null ? null : (
      <p class="hint">
        <Sentence text={status.voice.summary} /> <a href="/voice">{t('page.voice')}</a>
      </p>
    )}
    <div class="control-body">
      {states.map((state) => (
        <Toggle
          key={state}
          id={`microphone-${state}`}
          label={t(`sim.microphone.${state}`)}
          words={yesNo(microphone[state])}
          on={microphone[state]}
          touch="microphone"
          of={state}
        />
      ))}
    </div>
    <Say />
  </section>
);
