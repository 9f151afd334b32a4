import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { amount } from '#test/fakes/amount.ts';

/**
 * Chromium without what only a window needs: the same engine from the same source package, at two thirds of the
 * processor time. Debian has it since 2024.
 */
const WITHOUT_WINDOW = '/usr/lib/chromium/chromium-headless-shell';
const WITH_WINDOW = '/usr/bin/chromium';

/** The Chromium that looks at pages in tests: `SCONCE_CHROMIUM`, or what Debian brings. */
export const chromiumForPages =
  process.env['SCONCE_CHROMIUM'] ?? (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : WITH_WINDOW);

/** How it is started: nothing but what the tests ask of it reaches a network. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  // Nothing is drawn by one, so that its process would only take messages to and fro.
  '--in-process-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/**
 * Environment in which an agent that draws unseen finds that same Chromium without a window; `bin/test all` leaves it
 * the one of a panel, which the tests on a display and of the browser's process have in every run.
 */
export function unseenBrowser(): { readonly PATH: string } {
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  return { PATH: amount(`${fileURLToPath(new URL('unseen', import.meta.url))}:${path}`, path) };
}
