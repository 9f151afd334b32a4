/**
 * Compares two versions of Sconce number by number, a missing number counting as 0: negative if the first is older. A
 * pre-release is older than its release.
 */
export function compareVersions(one: string, other: string): number {
  const split = (version: string): { readonly numbers: readonly number[]; readonly pre: string } => {
    const [release = '', ...pre] = version.split('-');
    return { numbers: release.split('.').map(Number), pre: pre.join('-') };
  };
  const [left, right] = [split(one), split(other)];
  for (let at = 0; at < 4; at += 1) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === '' || right.pre === '') return left.pre === '' ? 1 : -1;
  return left.pre < right.pre ? -1 : 1;
}
