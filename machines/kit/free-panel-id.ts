import { PANEL_ID_LENGTH, panelSlug } from './panel-slug.ts';

/** A number that tells panels of one name apart: `kitchen_2`. Longer ones are part of the name, such as a year. */
const NUMBERED = /^(.*[^_])_([1-9]\d?)$/;

/**
 * The panel id that a text makes (`panel` if nothing of it is usable), or the next of its numbered ones that no other
 * panel has: `kitchen_2`, `kitchen_3`.
 */
export function freePanelId(taken: Iterable<string>, wished: string): string {
  const others = new Set(taken);
  const first = panelSlug(wished) || 'panel';
  const [, stem = first, number = '1'] = NUMBERED.exec(first) ?? [];
  let id = first;
  for (let next = Number(number) + 1; others.has(id); next += 1) {
    const suffix = `_${next}`;
    id = stem.slice(0, PANEL_ID_LENGTH - suffix.length).replace(/_+$/, '') + suffix;
  }
  return id;
}
