import { t } from '../strings/t.ts';

/** Progress of a dashboard that is held back until its entities are known. */
export interface Preparing {
  /** 1: reading its entities. 2: building its set. */
  readonly step: 1 | 2;
  /** Entities read so far. */
  readonly entities: number;
  /** True if Home Assistant did not answer and is being asked again. */
  readonly failed: boolean;
}

const steps = [1, 2, 3] as const;

function wordsOf(step: (typeof steps)[number], { step: current, entities: count }: Preparing): string {
  if (step !== 1 || count === 0) return t(`offline.step.${step}`);
  return current === 1 ? t('offline.step.1_count', { count }) : t('offline.step.1_done', { count });
}

/** The three steps from the first connection to the dashboard, with the current one marked. */
export const Milestones = ({ preparing }: { readonly preparing: Preparing }) => (
  <>
    <h1 class="glass-title">{t('offline.title.preparing')}</h1>
    <ol class="glass-steps">
      {steps.map((step) => (
        <li
          key={step}
          class={step < preparing.step ? 'is-done' : undefined}
          {...(step === preparing.step && { 'aria-current': 'step' })}
        >
          {wordsOf(step, preparing)}
        </li>
      ))}
    </ol>
    {preparing.failed ? <p class="glass-text glass-quiet">{t('offline.preparing_failed')}</p> : null}
  </>
);
