const heading = /^## \[(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?)\]/m;

/** The newest version in a changelog of Keep a Changelog, whose newest is first; null if it has none. */
export const newestVersion = (changelog: string): string | null => heading.exec(changelog)?.[1] ?? null;

/**
 * True if `one` is newer than `other` (semantic versioning, section 11; of two pre-releases of one version neither is).
 */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => {
    const [core = '', ...before] = version.split('-');
    // A pre-release comes before its version.
    return [...core.split('.').map(Number), before.length === 0 ? 1 : 0];
  });
  const at = (a ?? []).findIndex((part, index) => part !== b?.[index]);
  return at !== -1 && (a?.[at] ?? 0) > (b?.[at] ?? 0);
}
