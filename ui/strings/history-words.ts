import { partName } from './part-name.ts';
import { t, tOr } from './t.ts';

/** What one entry of the history says: its facts, without its time. */
export interface HistorySentence {
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
}

/** Title of a setting by its key; undefined where there is no such setting any more. */
export type TitleOf = (key: string) => string | undefined;

const exposed = 'ha_expose_';

/** A saved setting by its title: the key of one that this version does not know, and how many were not listed. */
function settingWords(key: string, titleOf: TitleOf): string {
  const more = /^\+(\d+)$/.exec(key)?.[1];
  if (more !== undefined) return t('history.more_settings', { count: Number(more) });
  if (!key.startsWith(exposed)) return titleOf(key) ?? key;
  const title = titleOf(key.slice(exposed.length));
  return title === undefined ? key : t('history.shown_there', { title });
}

/** What was saved as one sentence, and each secret that was removed as one of its own. */
function savedWords(keys: readonly string[], titleOf: TitleOf): string {
  const saved = keys.filter((key) => !key.startsWith('-'));
  const removed = keys.filter((key) => key.startsWith('-')).map((key) => key.slice(1));
  return [
    ...(saved.length === 0
      ? []
      : [t('happened.configuration', { keys: saved.map((key) => settingWords(key, titleOf)).join(', ') })]),
    ...removed.map((key) => tOr(`history.removed.${key}`, t('history.removed', { title: titleOf(key) ?? key }))),
  ].join(' ');
}

/**
 * An entry of the history as a sentence; only the server makes it, so that the pages need not bring every sentence
 * along.
 */
export function entryWords({ kind, code, by }: HistorySentence, titleOf: TitleOf): string {
  if (kind === 'configuration' && code !== 'secret') return savedWords(code.split(','), titleOf);
  if (kind === 'announcement' && code !== 'played') return t('happened.announcement.failed', { code });
  const who = by === null ? '' : kind === 'part' ? partName(by) : tOr(`controls.by.${by}`, by);
  return tOr(`happened.${kind}.${code}`, t('happened.other', { kind, code }), { by: who });
}
