/** Largest bundle, in bytes: what a forum and a mail take. */
const mostBundleBytes = 2_000_000;
/** Largest section but the log, in bytes. */
const mostSectionBytes = 300_000;

/** One section of a bundle. */
export interface BundleSection {
  readonly title: string;
  readonly text: string;
}

const encoder = new TextEncoder();
const sizeOf = (text: string): number => encoder.encode(text).length;

/** The beginning of a text that is no longer than so many bytes, with a word where it was cut. */
function cut(text: string, most: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= most) return text;
  // What is left of a character at the cut is not shown.
  const kept = new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, '');
  return `${kept}\n(cut at ${most} bytes)`;
}

const sectionText = ({ title, text }: BundleSection): string => `== ${title} ==\n${text.trimEnd()}\n\n`;

/**
 * The sections one below the other, then the log, its oldest lines first; of a log that does not fit the oldest lines
 * are left out, and the bundle says how many.
 */
export function bundleText(
  sections: readonly BundleSection[],
  title: string,
  lines: readonly string[],
  mostBytes = mostBundleBytes,
): string {
  const head = sections
    .map((section) => sectionText({ ...section, text: cut(section.text, mostSectionBytes) }))
    .join('');
  // The heading and the sentence about what is left out take less than this.
  let room = mostBytes - sizeOf(head) - 200;
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    room -= sizeOf(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  const left = missing === 0 ? [] : [`(${missing} older lines are left out: a bundle has at most ${mostBytes} bytes)`];
  return head + sectionText({ title, text: [...left, ...kept.toReversed()].join('\n') }).trimEnd() + '\n';
}

/** Name of the file that a bundle is saved as; `at` in milliseconds since the Unix epoch, the day in UTC. */
export const bundleName = (at: number): string => `sconce-support-${new Date(at).toISOString().slice(0, 10)}.txt`;
