import type { CompanionDocument } from '#machines/companion/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import { CommandBox } from '../parts/command-box.tsx';
import { companionVerdict } from '../parts/companion-verdict.ts';
import { CompanionView } from '../parts/companion-view.tsx';
import { Question } from '../parts/question.tsx';
import { Shell } from '../parts/shell.tsx';
import { t } from '../strings/t.ts';

export interface CompanionPageProps {
  readonly status: StatusDocument;
  readonly companion: CompanionDocument;
  /** Host and port of this panel as Home Assistant reaches it; null if unknown. */
  readonly address: string | null;
}

/** How the integration gets into Home Assistant, and is paired. */
const Install = ({ address, asksHere }: { readonly address: string | null; readonly asksHere: boolean }) => (
  <section class="card" aria-labelledby="companion-install">
    <h2 id="companion-install">{t('companion.install')}</h2>
    <ol class="companion-steps">
      <li>
        <p>{t('companion.install.copy')}</p>
        <a class="button" href="/api/v1/companion/integration.zip" download="sconce.zip">
          {t('companion.install.download')}
        </a>
        <p>{t('companion.install.command')}</p>
        <CommandBox text="sconce companion install FOLDER" name={t('companion.install.command_name')} />
      </li>
      <li>
        <p>{t('companion.install.restart')}</p>
      </li>
      <li>
        {address === null ? (
          <p>{t('companion.install.no_address')}</p>
        ) : (
          <>
            <p>{t('companion.install.add')}</p>
            <CommandBox text={address} name={t('companion.install.address_name')} />
          </>
        )}
      </li>
      <li>
        {asksHere ? null : (
          <>
            <p>{t('companion.install.terminal')}</p>
            <CommandBox text="sconce companion pair" name={t('companion.install.terminal_name')} />
          </>
        )}
        <p>{t('companion.install.digits')}</p>
      </li>
    </ol>
  </section>
);

/** `/companion`: Home Assistant's own integration: who is paired, how it is installed, and the way of the entities. */
export const CompanionPage = ({ status, companion, address }: CompanionPageProps) => (
  <Shell status={status} page="companion">
    <p class="lead">{t('companion.lead')}</p>
    <div class="grid companion">
      <sconce-companion>
        <CompanionView companion={companion} verdict={companionVerdict(status)} now={status.taken_at} />
      </sconce-companion>
      <Install
        address={address}
        asksHere={status.security.place !== 'none' || status.security.place_reason === 'starting'}
      />
    </div>
    <Question id="companion-question" />
  </Shell>
);
