import type { RestoreDocument } from '#machines/backup/document.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import { Changes } from './install-changes.tsx';
import type { ImportDocument } from './install-documents.ts';
import { Moment } from './moment.tsx';

const icons: Readonly<Record<RestoreDocument['parts'][number]['does'], IconName>> = {
  restored: 'mdi:check-circle',
  unchanged: 'mdi:circle-outline',
  skipped: 'mdi:circle-off-outline',
  absent: 'mdi:circle-off-outline',
};

/** What a restore would do. */
export const RestorePreviewView = ({ doc, now }: { readonly doc: RestoreDocument; readonly now: number }) => (
  <div class="stack">
    <p>
      {t('install.restore.from', { panel: doc.made_by, version: doc.version })} <Moment at={doc.made_at} now={now} />
    </p>
    <p>{t(`install.restore.origin.${doc.origin}`)}</p>
    {doc.state_unavailable ? <p>{t('install.restore.unavailable')}</p> : null}
    {doc.profile === null ? null : <p>{t('install.restore.trial', { profile: doc.profile })}</p>}
    <ul class="plain-list job-parts">
      {doc.parts.map(({ part, does, items, why }) => (
        <li key={part}>
          <Icon name={icons[does]} size={20} />
          <span>
            <strong>{t(`install.part.${part}`)}</strong>
            {': '}
            {t(`install.does.${does}`)}
            {items > 0 && does === 'restored' ? (
              <span class="hint"> {t('install.items', { count: items })}</span>
            ) : null}
            {why === '' ? null : <span class="hint job-detail">{why}</span>}
          </span>
        </li>
      ))}
    </ul>
    <Changes of="restore" changes={doc.changes} skipped={doc.skipped_keys} />
  </div>
);

/** What an import would do. */
export const ImportPreviewView = ({ doc }: { readonly doc: ImportDocument }) => (
  <div class="stack">
    {[...doc.errors, ...doc.warnings].map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    <Changes of="import" changes={doc.changes} skipped={doc.skipped} />
  </div>
);
