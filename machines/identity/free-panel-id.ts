import { PANEL_ID_LENGTH, panelSlug } from './slug.ts';

/** The wished id as a panel id if it is free, else with the lowest free number after it: `kitchen_2`. */
export function freePanelId(taken: Iterable<string>, wished: string): string {
  const used = new Set(taken);
  const stem = panelSlug(wished) || 'panel';
  if (!used.has(stem)) return stem;
  for (let number = 2; ; number += 1) {
    const end = `_${number}`;
    const id = `${stem.slice(0, PANEL_ID_LENGTH - end.length).replace(/_+$/, '')}${end}`;
    if (!used.has(id)) return id;
  }
}
