import { existsSync } from 'node:fs';

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
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];
