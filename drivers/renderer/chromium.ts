import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { BrowserCommand, BrowserFact, BrowserInput } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import type { BrowserProcess } from './browser-process.ts';
import type { DevToolsEvent } from './devtools.ts';
import { findDisplays, type FoundDisplays } from './displays.ts';
import { BROWSER_NAMES, findBrowser } from './executable.ts';
import { openMark } from './mark.ts';
import { openBrowser } from './open-browser.ts';
import { openPage, type DrivenPage } from './page.ts';
import { treeMemory } from './process-tree.ts';
import { openQuestions } from './questions.ts';
import { PROBE_MS } from './page-probe.ts';
import type { AttachedQuestions, QuestionTab } from './question-tab.ts';
import type { AttachedMark, UseMark } from './use-mark.ts';
import type { UseOverlay } from './use-overlay.ts';

export interface ChromiumDeps {
  /** The agent's data folder; the browser's profile is below it, readable by its owner only. */
  readonly folder: string;
  /** A token for Home Assistant's page; `force` when the last one was just refused. */
  readonly accessToken: (force: boolean) => Promise<TokenOutcome>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly env?: ToolEnv;
  /** Names or paths of the browser to look for, in order. */
  readonly names?: readonly string[];
  readonly extraFlags?: readonly string[];
  /** Finds the displays to try; by default those of this machine. */
  readonly displays?: typeof findDisplays;
  /** Time between two probes of the page, and the longest wait for one, in milliseconds; 5 s by default. */
  readonly probeMs?: number;
  /** The agent's version, shown in Home Assistant's settings. */
  readonly version?: string;
  /** Shows questions in a second tab. */
  readonly questions?: Pick<QuestionTab, 'attach'>;
  /** Shows in the tab in front that something is in use. */
  readonly mark?: Pick<UseMark, 'attach'>;
  /** Shows the panel's voice over the dashboard. */
  readonly overlay?: Pick<UseOverlay, 'attach'>;
}

/** Time between two measurements of memory, in milliseconds. */
const MEMORY_MS = 60_000;
/** Silent probes after which the browser itself is asked, and killed if it does not answer either. */
const SILENT_LIMIT = 3;

/** The browser runs without a display. */
const unseen: FoundDisplays = { displays: [{ route: 'headless', env: {} }], isOtherUsers: false };

/** One run of Chromium with one page, from finding it to its end. Every failure is a fact. */
export const chromiumBrowser = (deps: ChromiumDeps) =>
  fromDriver<BrowserCommand, BrowserInput, BrowserFact>(({ input, signal, send, onEvent, guard }) => {
    const { now, env = process.env, names = BROWSER_NAMES, extraFlags = [], probeMs = PROBE_MS, version = '' } = deps;
    const displays = deps.displays ?? findDisplays;
    const profile = join(deps.folder, 'browser');
    const uid = process.getuid?.() ?? -1;
    let running: BrowserProcess | null = null;
    let page: DrivenPage | null = null;
    let questions: AttachedQuestions | null = null;
    let mark: AttachedMark | null = null;
    let probing: NodeJS.Timeout | undefined;
    let measuring: NodeJS.Timeout | undefined;
    let over = false;

    const end = (reason: Extract<BrowserFact, { type: 'browser.ended' }>['reason']): void => {
      if (over) return;
      over = true;
      clearInterval(probing);
      clearInterval(measuring);
      questions?.detach();
      mark?.detach();
      page?.end();
      send({ type: 'browser.ended', generation: input.generation, reason, at: now() });
    };

    const watch = (browser: BrowserProcess, driven: DrivenPage): void => {
      let isProbing = false;
      let silent = 0;
      const probe = async (): Promise<void> => {
        if (isProbing || over) return;
        isProbing = true;
        silent = (await driven.probe(probeMs)) ? 0 : silent + 1;
        const alive = silent < SILENT_LIMIT || (await browser.tools.call('Browser.getVersion')).ok;
        isProbing = false;
        if (alive || over) return;
        end('no-answer');
        await browser.kill();
      };
      const measure = async (): Promise<void> => {
        driven.tidy();
        const pssBytes = await treeMemory(browser.pid);
        if (!over) send({ type: 'browser.memory', pssBytes, at: now() });
      };
      probing = setInterval(guard(probe), probeMs);
      measuring = setInterval(guard(measure), MEMORY_MS);
    };

    const open = async (): Promise<void> => {
      const { displays: candidates, isOtherUsers } =
        input.display === 'headless' ? unseen : await displays({ env, uid });
      // Without a display no browser helps, so that is reported first.
      if (candidates.length === 0) {
        end(isOtherUsers ? 'other-users-display' : 'no-display');
        return;
      }
      const program = await findBrowser(names, env);
      if (program === null) {
        end('not-installed');
        return;
      }
      await mkdir(profile, { recursive: true, mode: 0o700 });
      const opened = await openBrowser(
        {
          program,
          profile,
          env,
          uid,
          extraFlags,
          signal,
          onEvent: guard((event: DevToolsEvent) => {
            mark?.onEvent(event);
            page?.onEvent(event);
          }),
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
      const { ownOrigin } = input;
      const { tools } = browser;
      const isQuestion = async (id: string): Promise<boolean> => (await questions?.owns(id)) === true;
      mark = deps.mark?.attach({ tools, dashboard: targetId, isQuestion }, openMark) ?? null;
      const onFront = (id: string): void => mark?.inFront(id);
      questions = deps.questions?.attach({ tools, ownOrigin, dashboard: targetId, onFront }, openQuestions) ?? null;
      const driven = openPage({
        tools,
        input,
        route,
        targetId,
        sessionId,
        accessToken: deps.accessToken,
        now,
        send,
        version,
        questions,
        overlay: deps.overlay ?? null,
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
      clearInterval(probing);
      clearInterval(measuring);
      questions?.detach();
      mark?.detach();
      page?.end();
      await running?.stop();
    };
  });
