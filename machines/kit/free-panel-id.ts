/** Longest panel id in characters (as in panel-assistant). */
export const PANEL_ID_LENGTH = 63;

/** A number that tells panels of one name apart: `kitchen_2`. Longer ones are part of the name, such as a year. */
const NUMBERED = /^(.*[^_])_([1-9]\d?)$/;

/** The wished panel id, or the next of its numbered ones that no other panel has: `kitchen_2`, `kitchen_3`. */
export function freePanelId(taken: Iterable<string>, wished: string): string {
  const others = new Set(taken);
  const [, stem = wished, number = '1'] = NUMBERED.exec(wished) ?? [];
  let id = wished;
  for (let next = Number(number) + 1; others.has(id); next += 1) {
    const suffix = `_${next}`;
    id = stem.slice(0, PANEL_ID_LENGTH - suffix.length).replace(/_+$/, '') + suffix;
  }
  return id;
}
