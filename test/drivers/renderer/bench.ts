import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openBrowser } from '#drivers/renderer/open-browser.ts';
import type { DevToolsEvent } from '#drivers/renderer/devtools.ts';
import { openPage, type DrivenPage } from '#drivers/renderer/page.ts';
import { treeMemory } from '#drivers/renderer/process-tree.ts';
import type { BrowserFact, BrowserInput, PageAppearance } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { chromiumForPages } from '../../browser/program.ts';
import { amount } from '../../fakes/amount.ts';
import { removeFolder } from './remove-folder.ts';
import { program } from './rig.ts';

/** How the page appears where a test says nothing. */
export const PLAIN: PageAppearance = { zoomPercent: 100, theme: 'follow', kiosk: false, fullscreen: false };

/** The driven page of an unseen browser, with the protocol beside it to look and touch. */
export interface Bench {
  readonly driven: DrivenPage;
  readonly facts: BrowserFact[];
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly call: (method: string, params?: object) => Promise<unknown>;
  /** Waits for a fact of a type that passes, from the `from`-th on. */
  readonly fact: <T extends BrowserFact['type']>(
    type: T,
    also?: (fact: Extract<BrowserFact, { type: T }>) => boolean,
    from?: number,
    withinMs?: number,
  ) => Promise<Extract<BrowserFact, { type: T }>>;
  /** Sends a command with the next generation and waits for how it settled. */
  readonly settle: (
    command:
      | { readonly type: 'page.load' | 'page.own'; readonly path: string }
      | { readonly type: 'page.go'; readonly path: string; readonly replace: boolean },
    withinMs?: number,
  ) => Promise<Extract<BrowserFact, { type: 'page.settled' }>>;
  /** Lets the clock of the driven page be ahead of what it was, so that what it counts by time is forgotten. */
  readonly pass: (ms: number) => void;
  readonly memory: () => Promise<number>;
  /** Paths of everything that the browser left in its home and profile. */
  readonly files: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

/**
 * Opens an unseen browser with its page: Chromium without a window, and in `bin/test all` the one of a panel. What
 * rests on more than the engine asks for the latter as `browserProgram`.
 */
export async function openBench(
  input: Partial<BrowserInput>,
  accessToken: (force: boolean) => Promise<TokenOutcome>,
  browserProgram: string = amount(chromiumForPages, program),
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-renderer-'));
  const abort = new AbortController();
  const facts: BrowserFact[] = [];
  const slot: { page?: DrivenPage } = {};
  const opened = await openBrowser(
    {
      program: browserProgram,
      profile: join(folder, 'browser'),
      env: { ...process.env, HOME: folder },
      uid: process.getuid?.() ?? -1,
      // A page of the tests opens windows without being touched first.
      extraFlags: ['--disable-popup-blocking'],
      signal: abort.signal,
      onEvent: (event: DevToolsEvent) => slot.page?.onEvent(event),
      onProcess: () => {},
    },
    [{ route: 'headless', env: {} }],
  );
  if (typeof opened === 'string') throw new Error(`no browser: ${opened}`);
  const { process: browser, sessionId, targetId, route } = opened;
  const full: BrowserInput = {
    generation: 1,
    display: 'headless',
    origin: null,
    ownOrigin: 'http://127.0.0.1:1',
    appearance: PLAIN,
    ...input,
  };
  let ahead = 0;
  const page = openPage({
    tools: browser.tools,
    input: full,
    route,
    targetId,
    sessionId,
    accessToken,
    now: () => Date.now() + ahead,
    send: (fact) => facts.push(fact),
    version: '0.0.0',
  });
  slot.page = page;
  await page.start();

  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const answer = await browser.tools.call(method, params, { session: sessionId });
    return answer.ok ? answer.value : answer.reason;
  };
  let generation = 0;
  const fact: Bench['fact'] = <T extends BrowserFact['type']>(
    type: T,
    also: (seen: Extract<BrowserFact, { type: T }>) => boolean = () => true,
    from = 0,
    withinMs = 30_000,
  ) =>
    // The type tag is compared first.
    until(
      `fact ${type}`,
      () =>
        facts
          .slice(from)
          .find(
            (seen): seen is Extract<BrowserFact, { type: T }> =>
              seen.type === type && also(seen as Extract<BrowserFact, { type: T }>),
          ),
      withinMs,
    );
  return {
    driven: page,
    facts,
    call,
    evaluate: async (expression) => {
      const answer = (await call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })) as {
        readonly result?: { readonly value?: unknown };
      };
      return answer.result?.value;
    },
    fact,
    pass: (ms) => void (ahead += ms),
    settle: (command, withinMs) => {
      generation += 1;
      const mine = generation;
      void page.onCommand({ ...command, generation: mine });
      return fact('page.settled', (settled) => settled.generation === mine, 0, withinMs);
    },
    memory: () => treeMemory(browser.pid),
    files: async () => (await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    end: async () => {
      abort.abort();
      await browser.stop();
      await removeFolder(folder);
    },
  };
}
