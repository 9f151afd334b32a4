import { renderUnicodeCompact } from 'uqr';

/** What `sconce run` prints in a terminal: the page's address, a code to scan and one sentence on the state. */
export const banner = (url: string, sentence: string): string =>
  `\n${renderUnicodeCompact(url, { border: 1 })}\n  ${url}\n  ${sentence}\n\n`;
