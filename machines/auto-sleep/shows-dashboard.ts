/**
 * True if the path that is shown belongs to the wanted dashboard: the same page, or one below it, whatever its query.
 * Both are canonical; "" wants none.
 */
export function showsDashboard(shown: string | null, wanted: string): boolean {
  if (shown === null || wanted === '') return false;
  if (shown === wanted) return true;
  const path = shown.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path === wanted || path.startsWith(`${wanted}/`);
}
