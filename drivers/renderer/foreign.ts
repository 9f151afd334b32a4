import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { BrowserCommand, BrowserFact, BrowserInput, PageAppearance } from '#machines/renderer/events.ts';

import { browserEnv } from './browser-process.ts';
import { findDisplays, type FoundDisplays } from './displays.ts';
import { findBrowser } from './executable.ts';

/** A program that shows one page full screen and cannot be controlled: each page is a restart with its address. */
export interface ForeignProgram {
  /** Names under which distributions install it. */
  readonly names: readonly string[];
  readonly args: (profile: string, url: string, unseen: boolean) => readonly string[];
  /** Files of its profile folder, by name. */
  readonly files: (appearance: PageAppearance) => Readonly<Record<string, string>>;
}

const schemes: Readonly<Record<PageAppearance['theme'], number>> = { dark: 0, light: 1, follow: 2 };

const firefoxPreferences = ({ zoomPercent, theme }: PageAppearance): string =>
  Object.entries({
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.sessionstore.resume_from_crash': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'dom.disable_open_during_load': true,
    // 2 is "block": a page on a wall must not ask.
    'permissions.default.camera': 2,
    'permissions.default.microphone': 2,
    'permissions.default.desktop-notification': 2,
    'layout.css.devPixelsPerPx': String(zoomPercent / 100),
    'layout.css.prefers-color-scheme.content-override': schemes[theme],
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');

/** Firefox in its kiosk mode. */
export const firefox: ForeignProgram = {
  names: ['firefox', 'firefox-esr'],
  args: (profile, url, unseen) => [
    '--kiosk',
    '--no-remote',
    '--profile',
    profile,
    ...(unseen ? ['--headless'] : []),
    url,
  ],
  files: (appearance) => ({ 'user.js': firefoxPreferences(appearance) }),
};

export interface ForeignDeps {
  /** The agent's data folder; the program's profile is below it. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly env?: ToolEnv;
  /** Names or paths of the program to look for, instead of its own. */
  readonly names?: readonly string[];
}

/** A program that runs this long has found its display, in milliseconds. */
const SETTLED_MS = 1500;
/** Time to close in order, in milliseconds. */
const CLOSE_MS = 400;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group has ended meanwhile.
  }
}

const running = (child: ChildProcess): boolean =>
  child.exitCode === null && child.signalCode === null && child.pid !== undefined;

/** Resolves to true if the child still runs after `ms`. */
const outlives = (child: ChildProcess, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    const gone = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    child.once('exit', gone);
    child.once('error', gone);
    if (!running(child)) gone();
  });

async function stop(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  if (await outlives(child, CLOSE_MS)) signalGroup(child, 'SIGKILL');
}

/**
 * Drives the dashboard in a program that cannot be controlled: each page is a new start, and nothing is known of its
 * content.
 */
export const foreignBrowser = (program: ForeignProgram, deps: ForeignDeps) =>
  fromDriver<BrowserCommand, BrowserInput, BrowserFact>(async ({ input, signal, send, onEvent, guard }) => {
    const { now, env = process.env, names = program.names } = deps;
    const profile = join(deps.folder, 'foreign-browser');
    const unseen = input.display === 'headless';
    let appearance = input.appearance;
    let child: ChildProcess | null = null;
    // An agent that exits early runs no cleanup, and a program left behind holds the profile.
    const killAtExit = (): void => {
      if (child !== null) signalGroup(child, 'SIGKILL');
    };
    const inTurn = serial();

    const end = (reason: Extract<BrowserFact, { type: 'browser.ended' }>['reason']): void =>
      send({ type: 'browser.ended', generation: input.generation, reason, at: now() });
    const found: FoundDisplays = unseen
      ? { displays: [{ route: 'headless', env: {} }], isOtherUsers: false }
      : await findDisplays({ env, uid: process.getuid?.() ?? -1 });
    const [display] = found.displays;
    if (display === undefined) {
      end(found.isOtherUsers ? 'other-users-display' : 'no-display');
      return;
    }
    const path = await findBrowser(names, env);
    if (path === null) {
      end('not-installed');
      return;
    }

    const open = async (url: string): Promise<boolean> => {
      const before = child;
      child = null;
      if (before !== null) await stop(before);
      await mkdir(profile, { recursive: true, mode: 0o700 });
      await Promise.all(
        Object.entries(program.files(appearance)).map(([name, text]) => writeFile(join(profile, name), text)),
      );
      if (signal.aborted) return false;
      const started = spawn(path, program.args(profile, url, unseen), {
        env: { ...browserEnv(env, display.env), MOZ_ENABLE_WAYLAND: '1' },
        detached: true,
        stdio: 'ignore',
      });
      child = started;
      started.on('error', () => {});
      started.once(
        'exit',
        guard((_code: number | null, by: NodeJS.Signals | null) => {
          // A program that was replaced ends too, which is no news.
          if (child === started) end(by === null ? 'exited' : 'killed');
        }),
      );
      return outlives(started, SETTLED_MS);
    };
    const show = async (generation: number, url: string, at: string): Promise<void> => {
      const began = now();
      const alive = await open(url);
      send({
        type: 'page.settled',
        generation,
        outcome: alive ? 'shown' : 'dropped',
        status: null,
        path: at,
        tookMs: now() - began,
        at: now(),
      });
    };
    const serve = async (command: BrowserCommand): Promise<void> => {
      switch (command.type) {
        case 'page.load':
        case 'page.go':
          return show(command.generation, `${input.origin ?? input.ownOrigin}${command.path}`, command.path);
        case 'page.own':
          return show(command.generation, `${input.ownOrigin}${command.path}`, command.path);
        case 'page.appearance':
          // It takes a new start, which comes with the next page and never for this alone.
          appearance = command.appearance;
          return;
        case 'page.forget':
          // The profile holds only what pages left there.
          return rm(profile, { recursive: true, force: true });
        case 'page.shoot':
          send({ type: 'page.shot', requestId: command.requestId, png: null, reason: 'not-possible' });
          return;
        case 'page.tap':
          send({
            type: 'page.tapped',
            requestId: command.requestId,
            outcome: { ok: false, reason: 'not-possible' },
          });
          return;
        case 'page.unhang':
        case 'page.freeze':
        case 'page.sign-in':
        case 'page.entities':
        // The program offers no way to do these.
      }
    };
    process.on('exit', killAtExit);
    onEvent((command) => inTurn(() => serve(command)));
    send({
      type: 'browser.ready',
      generation: input.generation,
      route: display.route,
      version: program.names[0] ?? '',
      at: now(),
    });
    return async () => {
      // A program that is just starting ends too; `child` keeps it until it has.
      const last = child;
      if (last !== null) await stop(last);
      child = null;
      process.off('exit', killAtExit);
    };
  });
