/** Largest bundle, in bytes: what a forum and a mail accept. */
const mostBundleBytes = 2_000_000;
/** Largest section except the log, in bytes. */
const mostSectionBytes = 300_000;

export interface BundleSection {
  readonly title: string;
  readonly text: string;
}

const encoder = new TextEncoder();
const sizeOf = (text: string): number => encoder.encode(text).length;

/** The beginning of a text within this many bytes, with a note where it was cut. */
function cut(text: string, most: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= most) return text;
  // Drop a partial character at the cut.
  const kept = new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, '');
  return `${kept}\n(cut at ${most} bytes)`;
}

const sectionText = ({ title, text }: BundleSection): string => `== ${title} ==\n${text.trimEnd()}\n\n`;

/**
 * Joins the sections, then the log, oldest lines first; if the log does not fit, its oldest lines are left out and
 * the bundle says how many.
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
  // The heading and the note about left-out lines take less than this.
  let room = mostBytes - sizeOf(head) - 200;
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    room -= sizeOf(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  const left = missing === 0 ? [] : [`(${missing} older lines were left out: a bundle has at most ${mostBytes} bytes)`];
  return head + sectionText({ title, text: [...left, ...kept.toReversed()].join('\n') }).trimEnd() + '\n';
}

/** File name of a bundle; `at` in milliseconds since the Unix epoch, the day in UTC. */
export const bundleName = (at: number): string => `sconce-support-${new Date(at).toISOString().slice(0, 10)}.txt`;
