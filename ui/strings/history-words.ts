import { partName } from './part-name.ts';
import { t, tOr } from './t.ts';

/** One entry of the history, without its time. */
export interface HistorySentence {
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
}

/** Title of a setting by its key; undefined if the setting no longer exists. */
export type TitleOf = (key: string) => string | undefined;

const exposed = 'ha_expose_';

/** A saved setting by its title, or its key if this version does not know it; "+N" becomes how many more were saved. */
function settingWords(key: string, titleOf: TitleOf): string {
  const more = /^\+(\d+)$/.exec(key)?.[1];
  if (more !== undefined) return t('history.more_settings', { count: Number(more) });
  if (!key.startsWith(exposed)) return titleOf(key) ?? key;
  const title = titleOf(key.slice(exposed.length));
  return title === undefined ? key : t('history.shown_there', { title });
}

/** One sentence for what was saved, and one for each removed secret. */
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

/** An entry of the history as a sentence; made on the server only, so that pages need not include every sentence. */
export function entryWords({ kind, code, by }: HistorySentence, titleOf: TitleOf): string {
  if (kind === 'configuration' && code !== 'secret') return savedWords(code.split(','), titleOf);
  if (kind === 'announcement' && code !== 'played') return t('happened.announcement.failed', { code });
  const who = by === null ? '' : kind === 'part' ? partName(by) : tOr(`controls.by.${by}`, by);
  return tOr(`happened.${kind}.${code}`, t('happened.other', { kind, code }), { by: who });
}
