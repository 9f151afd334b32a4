import { t } from '../strings/t.ts';
import type { ChangeDocument, SkippedDocument } from './install-documents.ts';

const shown = (value: string): string => (value === '' ? t('install.change.empty') : value);

const changeWords = ({ from, to }: ChangeDocument): string =>
  from === null || to === null
    ? t('install.change.secret')
    : t('install.change.to', { from: shown(from), to: shown(to) });

/** The settings that change, and those that are left out, each list folded. `of` makes its ids unique. */
export const Changes = ({
  of,
  changes,
  skipped,
}: {
  readonly of: string;
  readonly changes: readonly ChangeDocument[];
  readonly skipped: readonly SkippedDocument[];
}) => (
  <>
    {changes.length === 0 ? (
      <p>{t('install.changes.none')}</p>
    ) : (
      <details class="fold" id={`${of}-changes`}>
        <summary>
          <span class="fold-title">{t('install.changes', { count: changes.length })}</span>
        </summary>
        <ul class="fold-body plain-list change-list">
          {changes.map((change) => (
            <li key={change.key}>
              <code>{change.key}</code> <span>{changeWords(change)}</span>
            </li>
          ))}
        </ul>
      </details>
    )}
    {skipped.length === 0 ? null : (
      <details class="fold" id={`${of}-skipped`}>
        <summary>
          <span class="fold-title">{t('install.skipped', { count: skipped.length })}</span>
        </summary>
        <ul class="fold-body plain-list change-list">
          {skipped.map(({ key, message }) => (
            <li key={key}>
              <code>{key}</code> <span>{message}</span>
            </li>
          ))}
        </ul>
      </details>
    )}
  </>
);
