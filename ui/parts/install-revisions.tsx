import { t } from '../strings/t.ts';
import type { RevisionDocument } from './install-documents.ts';
import { Moment } from './moment.tsx';
import { Shield } from './shield.tsx';

/** Keys that a row names, and rows that are not folded. */
const namedKeys = 4;
const openRows = 5;

function changedWords(changed: readonly string[]): string {
  if (changed.length === 0) return t('install.revisions.first');
  const named = t('install.revisions.changed', { list: changed.slice(0, namedKeys).join(', ') });
  const more = changed.length - namedKeys;
  return more > 0 ? `${named} ${t('install.revisions.more', { count: more })}` : named;
}

const Row = ({
  revision: { id, exported_at: at, changed },
  isNow,
  now,
}: {
  readonly revision: RevisionDocument;
  readonly isNow: boolean;
  readonly now: number;
}) => (
  <li class="revision">
    <div>
      <Moment at={Number(at)} now={now} />
      {isNow ? <strong> {t('install.revisions.now')}</strong> : null}
      <p class="hint">{changedWords(changed)}</p>
    </div>
    {isNow ? null : (
      <button type="button" class="button quiet" data-revision={id} data-at={at} disabled>
        {t('install.revisions.do')} <Shield />
      </button>
    )}
  </li>
);

/** The earlier settings, newest first; those after the fifth are folded. */
export function RevisionsView({
  revisions,
  now,
}: {
  readonly revisions: readonly RevisionDocument[];
  readonly now: number;
}) {
  if (revisions.length === 0) return <p class="hint">{t('install.revisions.none')}</p>;
  const rows = revisions.map((revision, index) => (
    <Row key={revision.id} revision={revision} isNow={index === 0} now={now} />
  ));
  return (
    <>
      <ul class="plain-list">{rows.slice(0, openRows)}</ul>
      {rows.length <= openRows ? null : (
        <details class="fold" id="revisions-more">
          <summary>
            <span class="fold-title">{t('install.revisions.all', { count: rows.length - openRows })}</span>
          </summary>
          <ul class="fold-body plain-list">{rows.slice(openRows)}</ul>
        </details>
      )}
    </>
  );
}
