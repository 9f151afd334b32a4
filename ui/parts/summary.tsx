import type { StatusDocument } from '#machines/status.ts';
import { type StringKey, t } from '../strings/t.ts';
import type { BareCard, CardProps } from './card.ts';
import { Command } from './command.tsx';
import { furtherSteps } from './next-step.ts';
import { Unshown } from './security.tsx';
import { Sentence } from './sentence.tsx';
import { isSetupDue, setupAsNext, SetupLeft } from './setup-due.tsx';
import { StateMark } from './state-mark.tsx';
import type { Sections } from './sections.ts';

const reads = ['state', 'sentence', 'next', 'warnings', 'capabilities', 'setup', 'mqtt', 'security'] as const;

const buttons: readonly (readonly [path: RegExp, word: StringKey])[] = [
  [/^\/setup#/, 'due.go_on'],
  [/^\/setup/, 'due.go'],
  [/^\/configure\/.*#field-/, 'summary.field'],
  [/^\/configure\/.*#confirm-/, 'summary.confirm'],
  [/^\/configure/, 'summary.open'],
  [/^\/sign-in/, 'links.sign_in_open'],
  [/^\/parts/, 'summary.parts'],
  [/^\/#/, 'summary.evidence'],
];

const wordOf = (href: string): StringKey => buttons.find(([path]) => path.test(href))?.[1] ?? 'summary.go';

const NextStep = ({ next }: { readonly next: NonNullable<StatusDocument['next']> }) => (
  <>
    <h2 class="summary-sentence">{next.title}</h2>
    <p>
      <Sentence text={next.sentence} />
    </p>
    {next.fix === null ? null : <Command fix={next.fix} />}
    {next.href === null ? null : (
      <a class="button primary" href={next.href}>
        {t(wordOf(next.href))}
      </a>
    )}
  </>
);

const Calm = ({ status }: { readonly status: Sections<'state' | 'sentence'> }) => (
  <div class="calm">
    <StateMark state={status.state} size={28} />
    <p>{status.sentence}</p>
  </div>
);

/** The single next step if something needs a person (the setup while it is due), else one sentence about the panel. */
function Summary({ status }: CardProps<typeof reads>) {
  const further = furtherSteps(status);
  const next = isSetupDue(status) ? setupAsNext(status) : status.next;
  // The next step says it already.
  const warnings = status.warnings.filter((warning) => next?.sentence.includes(warning) !== true);
  return (
    <div class="summary">
      <Unshown status={status} />
      {next === null ? <Calm status={status} /> : <NextStep next={next} />}
      <SetupLeft status={status} />
      {further.length === 0 ? null : (
        <p class="further">
          <b>{t('summary.further')}</b>
          {further.map((row) => (
            <a key={row.id} href={`#capability-${row.id}`}>
              {row.title}
            </a>
          ))}
        </p>
      )}
      {warnings.length === 0 ? null : (
        <ul class="warnings" aria-label={t('summary.warnings')}>
          {warnings.map((warning) => (
            <li key={warning}>
              <Sentence text={warning} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The card with the panel's state, beside its drawing. */
export const summaryCard = {
  name: 'summary',
  reads,
  place: 'hero',
  draw: Summary,
} as const satisfies BareCard<typeof reads>;
