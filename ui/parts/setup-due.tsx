import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { Sections } from './sections.ts';

type Setup = NonNullable<StatusDocument['setup']>;
type Step = Setup['steps'][number];

/** True if the setup is the next step on the page `/`: until the panel is set up or the setup is put off. */
export const isSetupDue = ({ setup }: Sections<'setup'>): boolean => setup?.due === true;

const stepsIn = ({ setup }: Sections<'setup'>, ...states: readonly Step['status'][]): readonly Step[] =>
  (setup?.steps ?? []).filter(({ status }) => states.includes(status));

/** The setup as the next step: starts with the name, or continues with the step that needs a person. */
export function setupAsNext(status: Sections<'setup' | 'mqtt'>): NonNullable<StatusDocument['next']> {
  const open = stepsIn(status, 'needs_you');
  const isFailing = status.mqtt?.failing_since != null;
  // A broker that failed takes precedence over steps not started.
  const next = open.find(({ stage }) => isFailing && stage === 'broker') ?? open[0];
  if (next === undefined || next.stage === 'identity')
    return { title: t('due.title'), sentence: t('due.text'), fix: null, href: '/setup' };
  const { length: count } = stepsIn(status, 'needs_you', 'blocked');
  return {
    title: t('due.next', { step: t(`setup.title.${next.stage}`) }),
    sentence: `${next.detail} ${t('due.count', { count })}`,
    fix: null,
    href: `/setup#step-${next.stage}`,
  };
}

/** True if `/` mentions remaining steps: once the panel is set up, only those that were put off. */
const isReminded = (status: Sections<'setup'>): boolean =>
  status.setup?.complete === false || stepsIn(status, 'put_off').length > 0;

/** An unobtrusive link to the rest of the setup while something else is the next step; nothing if none is left. */
export function SetupLeft({ status }: { readonly status: Sections<'setup'> }) {
  const { length: count } = stepsIn(status, 'needs_you', 'blocked', 'put_off');
  return isSetupDue(status) || count === 0 || !isReminded(status) ? null : (
    <p class="hint">
      <a href="/setup">{t('due.left', { count })}</a>
    </p>
  );
}
