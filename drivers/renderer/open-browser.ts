import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserFact, DisplayRoute } from '#machines/renderer/events.ts';

import { browserEnv, type BrowserProcess, type ProcessEnd, startBrowser } from './browser-process.ts';
import type { DevToolsEvent } from './devtools.ts';
import type { DisplayCandidate } from './displays.ts';
import { listAt, textAt } from './json-fields.ts';
import { hasGpu, launchFlags } from './launch-flags.ts';
import { freeProfile } from './browser-profile-lock.ts';

export type OpenRefusal = Extract<BrowserFact, { type: 'browser.ended' }>['reason'];

export interface OpenDeps {
  readonly program: string;
  readonly profile: string;
  readonly env: ToolEnv;
  readonly uid: number;
  readonly extraFlags: readonly string[];
  readonly signal: AbortSignal;
  readonly onEvent: (event: DevToolsEvent) => void;
  /** Called with each process as soon as it exists, so that the caller can end it in any case. */
  readonly onProcess: (process: BrowserProcess) => void;
}

export interface OpenedBrowser {
  readonly process: BrowserProcess;
  readonly route: DisplayRoute;
  /** Name and version as reported by the browser, such as `Chrome/156.0.8078.79`. */
  readonly version: string;
  readonly targetId: string;
  readonly sessionId: string;
}

/** Longest wait for a browser to come up; a slow panel with a cold disk needs some seconds. */
const START_MS: Milliseconds = 20_000;
/** Exit code of a browser whose profile another one holds (measured with Chromium 156). */
const PROFILE_LOCKED = 21;
/** What a browser prints if the display failed. */
const DISPLAY_COMPLAINT =
  /platform failed to initialize|cannot open display|Missing X server|connect to (?:the )?Wayland|Wayland display/i;

/**
 * Keeps the browser from writing the memory of a crashed page, tokens included, into the user's home, which
 * `--disable-breakpad` does not prevent. Returns the variable that names a folder made unusable: a file takes the place
 * of the folder `new`, so nothing is written anywhere (tried with Chromium 156; with a folder that does not exist it
 * falls back to the home).
 */
async function withoutCrashDumps(profile: string): Promise<Record<string, string>> {
  const place = join(profile, 'crashes');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true, mode: 0o700 });
  await writeFile(join(place, 'new'), '');
  return { BREAKPAD_DUMP_LOCATION: place };
}

function pageIn(targets: unknown): string | null {
  const page = listAt(targets, 'targetInfos').find((info) => textAt(20, info, 'type') === 'page');
  return textAt(100, page, 'targetId');
}

/** Attaches to the page that the browser opened, or to a new one; null on failure. */
async function attach({ tools }: BrowserProcess): Promise<Pick<OpenedBrowser, 'targetId' | 'sessionId'> | null> {
  const targets = await tools.call('Target.getTargets');
  let targetId = targets.ok ? pageIn(targets.value) : null;
  if (targetId === null) {
    const made = await tools.call('Target.createTarget', { url: 'about:blank' });
    targetId = made.ok ? textAt(100, made.value, 'targetId') : null;
  }
  if (targetId === null) return null;
  const attached = await tools.call('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = attached.ok ? textAt(100, attached.value, 'sessionId') : null;
  return sessionId === null ? null : { targetId, sessionId };
}

async function greet(process: BrowserProcess): Promise<Omit<OpenedBrowser, 'process' | 'route'> | null> {
  const hello = await process.tools.call('Browser.getVersion', {}, { withinMs: START_MS });
  const version = hello.ok ? textAt(100, hello.value, 'product') : null;
  const page = version === null ? null : await attach(process);
  return version === null || page === null ? null : { version, ...page };
}

function reasonOf(end: ProcessEnd, complaints: string): OpenRefusal {
  if (end.code === PROFILE_LOCKED) return 'profile-locked';
  return DISPLAY_COMPLAINT.test(complaints) ? 'no-display' : 'exited';
}

/** Starts the browser on the first display that works. */
export async function openBrowser(
  deps: OpenDeps,
  candidates: readonly DisplayCandidate[],
): Promise<OpenedBrowser | OpenRefusal> {
  let refusal: OpenRefusal = 'no-display';
  for (const { route, env: displayEnv } of candidates) {
    await freeProfile(deps.profile);
    const dumps = await withoutCrashDumps(deps.profile);
    if (deps.signal.aborted) return refusal;
    const flags = launchFlags({ route, profile: deps.profile, uid: deps.uid, gpu: hasGpu(), extra: deps.extraFlags });
    const process = startBrowser(deps.program, flags, browserEnv(deps.env, { ...displayEnv, ...dumps }), deps.onEvent);
    if (process === null) return 'not-installed';
    deps.onProcess(process);
    const greeted = await Promise.race([greet(process), process.ended]);
    if (greeted !== null && 'version' in greeted) return { process, route, ...greeted };
    if (greeted === null) {
      await process.kill();
      refusal = 'start-timeout';
    } else {
      const reason = reasonOf(greeted, process.complaints());
      if (reason === 'profile-locked') return reason;
      // The reason from another display says more than a failed display.
      if (reason !== 'no-display') refusal = reason;
    }
    if (deps.signal.aborted) return refusal;
  }
  return refusal;
}
