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

const yesNo = (yes: boolean): string => (yes ? t('sim.yes') : t('sim.no'));

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
    <sconce-say data-keep></sconce-say>
  </section>
);
