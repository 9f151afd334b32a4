import type { ApprovalsContext } from '#machines/approvals/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

/** What a simulated panel asks, for a page on its own machine. */
export interface AskingAtPanel extends Pick<StatusDocument['security'], 'mode' | 'pending' | 'barred'> {
  readonly shown: ApprovalsContext['shown'];
}

/** The question on the drawn panel: a press of a second approves it, by finger or key. */
export const SimulatedQuestion = ({ shown, barred }: Pick<AskingAtPanel, 'shown' | 'barred'>) =>
  shown === null ? null : (
    <section class="card sim-question" id={`ask-${shown.id}`} aria-label={t('sim.asks')} data-question={shown.id}>
      <h2>{shown.kind === 'operation' ? shown.title : t(`sim.ask.${shown.kind}`)}</h2>
      {shown.consequence === '' ? null : <p>{shown.consequence}</p>}
      {shown.code === null ? null : <p class="ask-digits">{shown.code}</p>}
      {barred.map(({ code, message }) => (
        <p class="refused" key={code}>
          {message}
        </p>
      ))}
      <div class="sim-answers">
        <button type="button" class="button" data-answer="deny">
          {t('sim.deny')}
        </button>
        <button type="button" class="button primary" data-hold data-keep>
          {t('sim.approve')}
        </button>
      </div>
    </section>
  );

/** The security mode, with the buttons that ask to switch it, and that show again what was left untouched. */
export const SimulatedMode = ({ mode, pending, shown }: Omit<AskingAtPanel, 'barred'>) =>
  mode === null ? null : (
    <section class="card" aria-labelledby="security-title">
      <div class="card-head">
        <h2 id="security-title">{t('sim.security')}</h2>
        <span class="control-value">{t(`security.mode.${mode}`)}</span>
      </div>
      <button type="button" class="button" data-mode={mode === 'relaxed' ? 'hardened' : 'relaxed'}>
        <Icon name="mdi:shield-outline" />
        <span>{t(mode === 'relaxed' ? 'security.harden' : 'security.relax')}</span>
      </button>
      {pending > 0 && shown === null ? (
        <button type="button" class="button" data-questions="show">
          {t('security.show')}
        </button>
      ) : null}
    </section>
  );
