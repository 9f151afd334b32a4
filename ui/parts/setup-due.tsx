import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import type { BareCard } from './card.ts';

/** What `/` begins with until the panel is set up, or that was put off: the way to the guided setup. */
export const SetupDue = ({ status }: { readonly status: StatusDocument }) =>
  status.setup?.due === true ? (
    <section class="card setup-due" aria-labelledby="setup-due-title">
      <div>
        <h2 id="setup-due-title">{t('due.title')}</h2>
        <p>{t('due.text')}</p>
      </div>
      <a class="button primary" href="/setup">
        {t('due.go')}
      </a>
    </section>
  ) : (
    <></>
  );

/** The card of the setup; nothing stands there once it is done. */
export const setupDueCard = {
  name: 'setup-due',
  place: 'top',
  strings: ['due'],
  draw: SetupDue,
} as const satisfies BareCard;
