import type { StatusDocument } from '#machines/status.ts';
import { type StringKey, t } from '../strings/t.ts';
import type { FramedCard } from './card.ts';
import { Command } from './command.tsx';
import { Sentence } from './sentence.tsx';
import { StateMark } from './state-mark.tsx';

const leadsTo = (href: string): StringKey => {
  if (href.startsWith('/configure')) return 'summary.open';
  return href.startsWith('/#') ? 'summary.evidence' : 'summary.go';
};

/** One sentence on how the panel is, and the single next step when something needs a person. */
export const Summary = ({ status }: { readonly status: StatusDocument }) => (
  <div class="summary">
    <StateMark state={status.state} size={28} />
    <p class="summary-sentence">{status.sentence}</p>
    {status.next === null ? null : (
      <div class="step">
        <h2 class="step-title">{t('summary.next')}</h2>
        <p>
          <Sentence text={status.next.sentence} />
        </p>
        {status.next.fix === null ? null : <Command fix={status.next.fix} />}
        {status.next.href === null ? null : (
          <a class="button primary" href={status.next.href}>
            {t(leadsTo(status.next.href))}
          </a>
        )}
      </div>
    )}
    {status.warnings.length === 0 ? null : (
      <div class="warnings">
        <h2 class="step-title">{t('summary.warnings')}</h2>
        <ul>
          {status.warnings.map((warning) => (
            <li key={warning}>
              <Sentence text={warning} />
            </li>
          ))}
        </ul>
      </div>
    )}
  </div>
);

/** The card that says how the panel is, beside its drawing. */
export const summaryCard = {
  name: 'summary',
  frame: ({ children }) => (
    <section class="card hero-words" aria-label={t('page.status')}>
      {children}
    </section>
  ),
  strings: ['summary'],
  draw: Summary,
} as const satisfies FramedCard;
