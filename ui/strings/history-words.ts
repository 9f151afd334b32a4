import type { HistoryLine } from '#machines/history/lines.ts';
import type { HistoryChange } from '#machines/kit/history-event.ts';
import type { SettingDescriptor, SettingValue } from '#machines/kit/setting.ts';
import { partName } from './part-name.ts';
import { t, tOr } from './t.ts';

/** One entry of the history, without its time. */
export interface HistorySentence {
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
  readonly changes?: readonly HistoryChange[];
}

/** A setting by its key; undefined if the setting no longer exists. */
export type SettingOf = (key: string) => Pick<SettingDescriptor, 'label' | 'unit'> | undefined;
type TitleOf = (key: string) => string | undefined;

const exposed = 'ha_expose_';

/** A saved setting by its title, or its key if this version does not know it; "+N" becomes how many more were saved. */
function settingWords(key: string, titleOf: TitleOf): string {
  const more = /^\+(\d+)$/.exec(key)?.[1];
  if (more !== undefined) return t('history.more_settings', { count: Number(more) });
  if (!key.startsWith(exposed)) return titleOf(key) ?? key;
  const title = titleOf(key.slice(exposed.length));
  return title === undefined ? key : t('history.shown_there', { title });
}

function valueWords(value: SettingValue, unit: string | null): string {
  if (typeof value === 'boolean') return t(value ? 'history.on' : 'history.off');
  return `${tOr(`form.option.${value}`, `${value}`)}${unit === null ? '' : ` ${unit}`}`;
}

/** One sentence for each setting whose values are known, one for the others, and one for each removed secret. */
function savedWords(keys: readonly string[], changes: readonly HistoryChange[], settingOf: SettingOf): string {
  const titleOf: TitleOf = (key) => settingOf(key)?.label;
  const told = new Set(changes.map(({ key }) => key));
  const saved = keys.filter((key) => !key.startsWith('-') && !told.has(key));
  const removed = keys.filter((key) => key.startsWith('-')).map((key) => key.slice(1));
  return [
    ...changes.map(({ key, from, to }) => {
      const unit = settingOf(key)?.unit ?? null;
      return t('history.changed', {
        title: settingWords(key, titleOf),
        from: valueWords(from, unit),
        to: valueWords(to, unit),
      });
    }),
    ...(saved.length === 0
      ? []
      : [t('happened.configuration', { keys: saved.map((key) => settingWords(key, titleOf)).join(', ') })]),
    ...removed.map((key) => tOr(`history.removed.${key}`, t('history.removed', { title: titleOf(key) ?? key }))),
  ].join(' ');
}

/** What caused an entry; of an approval, what it was for. */
function byWords(kind: string, by: string): string {
  if (kind === 'part') return partName(by);
  return kind === 'approval' ? tOr(`operation.${by}`, by) : tOr(`controls.by.${by}`, by);
}

/** An entry of the history as a sentence; made on the server only, so that pages need not include every sentence. */
export function entryWords({ kind, code, by, changes = [] }: HistorySentence, settingOf: SettingOf): string {
  if (kind === 'configuration' && code !== 'secret') return savedWords(code.split(','), changes, settingOf);
  if (kind === 'voice' && code !== 'asked') return t('happened.voice.failed', { code });
  if (kind === 'announcement' && code !== 'played') return t('happened.announcement.failed', { code });
  const who = by === null ? '' : byWords(kind, by);
  const plain = tOr(`happened.${kind}.${code}`, t('happened.other', { kind, code }), { by: who });
  // Some causes have a sentence of their own: the screen by auto-sleep and by the clock.
  return by === null ? plain : tOr(`happened.${kind}.${code}.${by}`, plain);
}

function lastedWords(lastedMs: number): string {
  const count = Math.max(1, Math.round(lastedMs / 1000));
  if (count < 100) return t('history.lasted.seconds', { count });
  if (count < 5400) return t('history.lasted.minutes', { count: Math.round(count / 60) });
  return t('history.lasted.hours', { count: Math.round(count / 3600) });
}

/** A line of the history as a sentence. */
export const lineWords = (line: HistoryLine, settingOf: SettingOf): string =>
  line.joined === null
    ? entryWords(line, settingOf)
    : t(`history.joined.${line.joined.code}`, {
        lasted: lastedWords(line.joined.lastedMs),
        by: line.by === null ? '' : byWords(line.kind, line.by),
      });
