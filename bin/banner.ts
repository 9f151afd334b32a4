import { renderUnicodeCompact } from 'uqr';

/**
 * What `sconce run` prints in a terminal: a code to scan, the address behind it and what it is for. `origin` is that of
 * the pages, with a slash; `sentence` says how a panel is that needs no set-up.
 */
export function banner(origin: string, needsSetup: boolean, sentence: string): string {
  const url = needsSetup ? `${origin}setup` : origin;
  const words = needsSetup ? 'Scan to set up this panel' : sentence;
  return `\n${renderUnicodeCompact(url, { border: 1 })}\n  ${url}\n  ${words}\n\n`;
}
