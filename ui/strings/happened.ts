import { t, tOr } from './t.ts';

/** What one entry of the history says: its facts, without its time. */
export interface Happened {
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
}

/** Title of a setting by its key; undefined where there is no such setting any more. */
export type TitleOf = (key: string) => string | undefined;

const exposed = 'ha_expose_';

/** A saved setting by its title: the key of one that this version does not know, and how many were not listed. */
const settingWords = (key: string, titleOf: TitleOf): string => {
  const more = /^\+(\d+)$/.exec(key)?.[1];
  if (more !== undefined) return t('history.more_settings', { count: Number(more) });
  if (!key.startsWith(exposed)) return titleOf(key) ?? key;
  const title = titleOf(key.slice(exposed.length));
  return title === undefined ? key : t('history.shown_there', { title });
};

/**
 * An entry of the history as a sentence; only the server makes it, so that the pages need not bring every sentence
 * along.
 */
export const happeningWords = ({ kind, code, by }: Happened, titleOf: TitleOf): string => {
  if (kind === 'configuration' && code !== 'secret')
    return t('happened.configuration', {
      keys: code
        .split(',')
        .map((key) => settingWords(key, titleOf))
        .join(', '),
    });
  if (kind === 'announcement' && code !== 'played') return t('happened.announcement.failed', { code });
  const who = by === null ? '' : tOr(`controls.by.${by}`, by);
  return tOr(`happened.${kind}.${code}`, t('happened.other', { kind, code }), { by: who });
};
