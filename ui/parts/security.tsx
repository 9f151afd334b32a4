import type { StatusDocument } from '#machines/status.ts';
import { type StringKey, t } from '../strings/t.ts';
import { Command } from './command.tsx';
import { Icon } from './icon.tsx';
import type { DrawnPart, Sections } from './sections.ts';

type Security = StatusDocument['security'];

/** Buttons that act on the panel's own screen only: they are shown there, by a script (`data-wants`). */
const AtPanel = ({ wants, word }: { readonly wants: string; readonly word: StringKey }) => (
  <button type="button" class={wants === 'questions' ? 'button primary' : 'button'} data-wants={wants} hidden>
    <Icon name="mdi:shield-outline" />
    <span>{t(word)}</span>
  </button>
);

/** True if requests wait that the screen does not show: they were left untouched, or came after three that were. */
const waitUnshown = ({ place, pending, asking }: Security): boolean => place === 'screen' && pending > 0 && !asking;

/** Requests that the screen does not show: a button that brings them back there, elsewhere one sentence. */
export const Unshown = ({ status: { security } }: { readonly status: Sections<'security'> }) =>
  waitUnshown(security) ? (
    <div class="notice summary">
      <p data-elsewhere>{t('security.waits_elsewhere')}</p>
      <p data-at-panel hidden>
        {t('security.waits', { count: security.pending })}
      </p>
      <AtPanel wants="questions" word="security.show" />
    </div>
  ) : null;

/** How to switch the mode: on the panel's own screen with a button, elsewhere in words. */
function Switching({ security }: { readonly security: Security }) {
  const { mode, place } = security;
  if (mode === null) return null;
  return (
    <div class="summary">
      {mode === 'relaxed' ? (
        <AtPanel wants="hardened" word="security.harden" />
      ) : (
        <AtPanel wants="relaxed" word="security.relax" />
      )}
      <p data-at-panel hidden class="hint">
        {t('security.switch_here')}
      </p>
      <p data-elsewhere>
        {place === 'simulator' ? (
          <>
            {t('security.switch_simulated')} <a href="/simulator">{t('page.simulator')}</a>
          </>
        ) : (
          t(place === 'none' ? 'security.switch_nowhere' : 'security.switch_elsewhere')
        )}
      </p>
      {place === 'screen' ? (
        <p data-elsewhere>
          <button type="button" class="button" data-own-pages>
            {t('security.open_there')}
          </button>
          <span class="said" data-own-said role="status"></span>
        </p>
      ) : null}
      {mode === 'hardened' ? (
        <Command fix={{ command: 'bin/sconce approvals --relaxed', effect: t('security.broken') }} />
      ) : null}
    </div>
  );
}

/** What bars approving, each with the command that ends it. */
const Barred = ({ reasons }: { readonly reasons: Security['barred'] }) =>
  reasons.length === 0 ? null : (
    <div class="summary">
      <h3>{t('security.barred')}</h3>
      <p class="hint">{t('security.barred_help')}</p>
      {reasons.map(({ code, message, command }) =>
        command === null ? <p key={code}>{message}</p> : <Command key={code} fix={{ command, effect: message }} />,
      )}
    </div>
  );

const Mode = ({ status: { security } }: { readonly status: Sections<'security'> }) => (
  <div class="summary">
    <p class="summary-sentence">{t(`security.mode.${security.mode ?? 'unknown'}`)}</p>
    <p>{t(`security.means.${security.mode ?? 'unknown'}`)}</p>
    <Switching security={security} />
  </div>
);

function Asking({ status }: { readonly status: Sections<'security'> }) {
  const { place, place_detail: why, pending, approved, barred } = status.security;
  return (
    <div class="summary">
      <p>{t(`security.place.${place}`)}</p>
      {why === null ? null : <p>{why}</p>}
      {waitUnshown(status.security) ? null : (
        <p>{t(pending === 0 ? 'security.none_wait' : 'security.waits', { count: pending })}</p>
      )}
      {approved === 0 ? null : <p>{t('security.approved', { count: approved })}</p>}
      <Unshown status={status} />
      <Barred reasons={barred} />
    </div>
  );
}

/** The parts of the page Security that follow the status. */
export const securityParts = {
  'security-mode': { reads: ['security'], draw: Mode } satisfies DrawnPart<['security']>,
  'security-asking': { reads: ['security'], draw: Asking } satisfies DrawnPart<['security']>,
} as const;
