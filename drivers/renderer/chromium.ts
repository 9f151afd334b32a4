import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { BrowserCommand, BrowserFact, BrowserInput } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import type { BrowserProcess } from './browser-process.ts';
import type { DevToolsEvent } from './devtools.ts';
import { findDisplays } from './displays.ts';
import { BROWSER_NAMES, findBrowser } from './executable.ts';
import { openBrowser } from './open-browser.ts';
import { openPage, type DrivenPage } from './page.ts';
import { treeMemory } from './process-tree.ts';
import { PULSE_MS } from './pulse.ts';

/** What the driver needs from outside. */
export interface ChromiumDeps {
  /** The agent's data folder; the browser's profile lives below it, readable by its owner alone. */
  readonly folder: string;
  /** A token for the platform's page; `force` when the last one was just refused. */
  readonly accessToken: (force: boolean) => Promise<TokenOutcome>;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** The agent's environment. */
  readonly env?: ToolEnv;
  /** Names or paths of the browser to look for, in order. */
  readonly names?: readonly string[];
  readonly extraFlags?: readonly string[];
  /**
   * Time between two looks at the page and longest wait for one, in milliseconds; 5 s where not given, as on a wall.
   */
  readonly pulseMs?: number;
  /** The agent's version, as the platform shows it among its settings. */
  readonly version?: string;
}

/** Time between two measurements of memory. */
const MEMORY_MS = 60_000;
/** Silent looks after which the browser itself is asked, and ended when it does not answer either. */
const SILENT_LIMIT = 3;

/** One run of Chromium with one page, from finding it to its end; every failure is a fact. */
export const chromiumBrowser = (deps: ChromiumDeps) =>
  fromDriver<BrowserCommand, BrowserInput, BrowserFact>(({ input, signal, send, onEvent, guard }) => {
    const { now, env = process.env, names = BROWSER_NAMES, extraFlags = [], pulseMs = PULSE_MS, version = '' } = deps;
    const profile = join(deps.folder, 'browser');
    const uid = process.getuid?.() ?? -1;
    let running: BrowserProcess | null = null;
    let page: DrivenPage | null = null;
    let pulsing: NodeJS.Timeout | undefined;
    let measuring: NodeJS.Timeout | undefined;
    let over = false;

    const end = (reason: Extract<BrowserFact, { type: 'browser.ended' }>['reason']): void => {
      if (over) return;
      over = true;
      clearInterval(pulsing);
      clearInterval(measuring);
      send({ type: 'browser.ended', generation: input.generation, reason, at: now() });
    };

    const watch = (browser: BrowserProcess, driven: DrivenPage): void => {
      let looking = false;
      let silent = 0;
      const look = async (): Promise<void> => {
        if (looking || over) return;
        looking = true;
        silent = (await driven.pulse(pulseMs)) ? 0 : silent + 1;
        const alive = silent < SILENT_LIMIT || (await browser.tools.call('Browser.getVersion')).ok;
        looking = false;
        if (alive || over) return;
        end('no-answer');
        await browser.kill();
      };
      const measure = async (): Promise<void> => {
        driven.tidy();
        const pssBytes = await treeMemory(browser.pid);
        if (!over) send({ type: 'browser.memory', pssBytes, at: now() });
      };
      pulsing = setInterval(guard(look), pulseMs);
      measuring = setInterval(guard(measure), MEMORY_MS);
    };

    const open = async (): Promise<void> => {
      const program = await findBrowser(names, env);
      if (program === null) {
        end('not-installed');
        return;
      }
      await mkdir(profile, { recursive: true, mode: 0o700 });
      const candidates =
        input.display === 'headless' ? [{ route: 'headless', env: {} } as const] : await findDisplays({ env, uid });
      const opened = await openBrowser(
        {
          program,
          profile,
          env,
          uid,
          extraFlags,
          signal,
          onEvent: guard((event: DevToolsEvent) => page?.onEvent(event)),
          onProcess: (started) => {
            running = started;
          },
        },
        candidates,
      );
      if (signal.aborted) return;
      if (typeof opened === 'string') {
        end(opened);
        return;
      }
      const { process: browser, route, version: product, targetId, sessionId } = opened;
      void browser.ended.then(guard(({ signal: by }) => end(by === null ? 'exited' : 'killed')));
      const driven = openPage({
        tools: browser.tools,
        input,
        route,
        targetId,
        sessionId,
        accessToken: deps.accessToken,
        now,
        send,
        version,
      });
      page = driven;
      await driven.start();
      if (over || signal.aborted) return;
      send({ type: 'browser.ready', generation: input.generation, route, version: product, at: now() });
      onEvent((command) => driven.onCommand(command));
      watch(browser, driven);
    };

    guard(open)();
    return async () => {
      over = true;
      clearInterval(pulsing);
      clearInterval(measuring);
      await running?.stop();
    };
  });
