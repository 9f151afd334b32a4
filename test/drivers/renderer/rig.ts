import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromiumBrowser, type ChromiumDeps } from '#drivers/renderer/chromium.ts';
import type { BrowserCommand, BrowserFact, BrowserInput } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { removeFolder } from './remove-folder.ts';

/** Where Debian puts the browser; another one can be named. */
export const program = process.env['SCONCE_CHROMIUM'] ?? '/usr/bin/chromium';
const required = (process.env['SCONCE_REQUIRE'] ?? '').split(',').includes('browser');

/** Whether these tests cannot run here; where a browser is required that is a failure. */
export const noBrowser = !required && !existsSync(program);
if (noBrowser) console.warn(`SKIPPED renderer: no Chromium at ${program} (apt-get install chromium)`);

/** A running browser under test. */
export interface Rig extends RunningDriver<BrowserCommand, BrowserFact> {
  readonly folder: string;
  /** Waits for a fact of a type that passes, from the `from`-th on. */
  readonly fact: <T extends BrowserFact['type']>(
    type: T,
    also?: (fact: Extract<BrowserFact, { type: T }>) => boolean,
    options?: { readonly from?: number; readonly withinMs?: number },
  ) => Promise<Extract<BrowserFact, { type: T }>>;
  /** Sends a command with the next generation and waits for how it settled. */
  readonly settle: (
    command:
      | { readonly type: 'page.load' | 'page.own'; readonly path: string }
      | { readonly type: 'page.go'; readonly path: string; readonly replace: boolean },
  ) => Promise<Extract<BrowserFact, { type: 'page.settled' }>>;
  /** Stops the browser, waits until it is gone and removes its folder unless it is kept. */
  readonly end: (keep?: boolean) => Promise<void>;
}

/** What a rig is made with. */
export interface RigOptions {
  readonly input?: Partial<BrowserInput>;
  readonly deps?: Partial<ChromiumDeps>;
  readonly token?: (force: boolean) => Promise<TokenOutcome>;
  readonly folder?: string;
}

/** Waits for the start of a cold browser while other tests use the same two cores. */
export const START_MS = 60_000;

/** Starts the driver; the browser may not be up yet. */
export async function startRig({ input, deps, token, folder: given }: RigOptions = {}): Promise<Rig> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'sconce-renderer-')));
  const driver = runDriver<BrowserCommand, BrowserFact, BrowserInput>(
    chromiumBrowser({
      folder,
      accessToken: token ?? (() => Promise.resolve({ ok: false, reason: 'none' })),
      now: Date.now,
      names: [program],
      version: '0.0.0',
      ...deps,
    }),
    {
      generation: 1,
      display: 'headless',
      origin: null,
      ownOrigin: 'http://127.0.0.1:1',
      appearance: { zoomPercent: 100, theme: 'follow', kiosk: false, fullscreen: false },
      ...input,
    },
  );
  let generation = 0;
  const fact: Rig['fact'] = <T extends BrowserFact['type']>(
    type: T,
    also: (fact: Extract<BrowserFact, { type: T }>) => boolean = () => true,
    { from = 0, withinMs = 30_000 }: { readonly from?: number; readonly withinMs?: number } = {},
  ) => {
    // The type tag is compared first.
    const passes = (seen: BrowserFact): seen is Extract<BrowserFact, { type: T }> =>
      seen.type === type && also(seen as Extract<BrowserFact, { type: T }>);
    return driver.until(passes, from, withinMs);
  };
  return {
    ...driver,
    folder,
    fact,
    settle: (command) => {
      generation += 1;
      const mine = generation;
      driver.tell({ ...command, generation: mine });
      return fact('page.settled', (settled) => settled.generation === mine, { withinMs: 30_000 });
    },
    end: async (keep = false) => {
      driver.stop();
      await driver.settled();
      if (!keep) await removeFolder(folder);
    },
  };
}
