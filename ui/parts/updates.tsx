import { t } from '../strings/t.ts';
import { Command } from './command.tsx';
import { Moment } from './moment.tsx';
import type { DrawnPart } from './sections.ts';

/** The last answer about updates, on the page About. */
export const aboutParts = {
  updates: {
    reads: ['updates'],
    draw: ({ status: { updates }, now }) => (
      <div class="updates stack" aria-busy={updates?.state === 'asking' ? 'true' : 'false'}>
        {updates === null || updates.state === 'not_asked' ? (
          <p>{t('product.updates_help')}</p>
        ) : updates.state === 'asking' ? (
          <p role="status">{t('product.updates_asking')}</p>
        ) : (
          <>
            <p role="status">{updates.sentence}</p>
            {updates.fix === null ? null : <Command fix={updates.fix} />}
            {updates.asked_at === null ? null : (
              <p class="hint">
                {t('product.updates_asked')} <Moment at={updates.asked_at} now={now} />
              </p>
            )}
          </>
        )}
      </div>
    ),
  } satisfies DrawnPart<['updates']>,
} as const;
