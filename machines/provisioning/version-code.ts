/** A semantic version; anything after the three numbers is ignored. */
const numbers = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d.])/;

/** The version as one whole number, higher for a newer one; null if the text is not such a version. */
export function versionCode(version: string): number | null {
  const found = numbers.exec(version);
  return found === null ? null : Number(found[1]) * 1_000_000 + Number(found[2]) * 1000 + Number(found[3]);
}
