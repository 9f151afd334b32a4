import { spawn, type ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';

import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { devTools, type DevTools, type DevToolsEvent } from './devtools.ts';
import { processTree, untilGone } from './process-tree.ts';

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface BrowserProcess {
  readonly pid: number;
  readonly tools: DevTools;
  /** Settles when the process is gone. */
  readonly ended: Promise<ProcessEnd>;
  /** The end of what it printed, at most 4 kB. */
  readonly complaints: () => string;
  /** Asks it to close, and after 400 ms kills it and its descendants; settles when all are gone. */
  readonly stop: () => Promise<void>;
  /** Kills it and its descendants at once; settles when all are gone. */
  readonly kill: () => Promise<void>;
}

/** Time to close in order and write the profile; the agent's whole stop has 5 s. */
const CLOSE_MS: Milliseconds = 400;
/** Longest wait for killed processes to go: one that still runs could write into a profile that is removed next. */
const DEATH_MS: Milliseconds = 1000;
const COMPLAINT_CHARACTERS = 4096;

/**
 * Variables that the browser gets: home, language, and how to reach display, sound and fonts. All others stay with the
 * agent.
 */
const PASSED =
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|XAUTHORITY|XCURSOR_\w+|LD_LIBRARY_PATH|LIBGL_\w+|MESA_\w+|LIBVA_\w+|VDPAU_\w+|GALLIUM_\w+|FONTCONFIG_\w+|PULSE_\w+|PIPEWIRE_\w+|ALSA_\w+|SSL_CERT_\w+|(?:https?|no|all)_proxy|(?:HTTPS?|NO|ALL)_PROXY)$/;

/** The agent's environment as a browser sees it. */
export const browserEnv = (env: ToolEnv, display: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => PASSED.test(entry[0]) && entry[1] !== undefined),
  ),
  ...display,
});

function signalTo(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Starts a browser in a separate process group; null when the system cannot start it. */
export function startBrowser(
  program: string,
  flags: readonly string[],
  env: Record<string, string>,
  onEvent: (event: DevToolsEvent) => void,
): BrowserProcess | null {
  let child: ChildProcess;
  try {
    child = spawn(program, flags, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
  } catch {
    return null;
  }
  // The missing pid reports the failure; without a listener the event would be thrown.
  child.on('error', () => {});
  const { pid, stdio }: { readonly pid?: number | undefined; readonly stdio?: ChildProcess['stdio'] } = child;
  // Without a free descriptor there are no pipes at all.
  const [, , stderr, toBrowser, fromBrowser] = stdio ?? [];
  if (pid === undefined || !(toBrowser instanceof Duplex) || !(fromBrowser instanceof Duplex) || stderr === null)
    return null;

  let complaints = '';
  stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-COMPLAINT_CHARACTERS);
  });
  let gone = false;
  const killGroup = (): void => {
    if (!gone) signalTo(-pid);
  };
  const tools = devTools(toBrowser, fromBrowser, onEvent, killGroup);
  // An agent that exits early runs no cleanup. If it is killed outright the pipe closes, and Chromium ends by itself.
  process.on('exit', killGroup);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      gone = true;
      process.off('exit', killGroup);
      tools.close();
      // Children that outlive it hold the profile and the display.
      signalTo(-pid);
      resolve({ code, signal });
    });
  });
  const killTree = async (tree: readonly number[]): Promise<void> => {
    killGroup();
    // Sandboxed processes may have left the group.
    for (const each of tree) if (each !== pid) signalTo(each);
    await ended;
    await untilGone(tree, DEATH_MS);
  };
  const kill = async (): Promise<void> => killTree(gone ? [] : await processTree(pid));
  const stop = async (): Promise<void> => {
    const tree = gone ? [] : await processTree(pid);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    void tools.call('Browser.close', {}, { withinMs: CLOSE_MS });
    await Promise.race([ended, late]);
    clearTimeout(timer);
    await killTree(tree);
  };
  return { pid, tools, ended, complaints: () => complaints, stop, kill };
}
