import { readdir } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { basename, dirname, isAbsolute, join } from 'node:path';

import { socketOwner } from '#drivers/kit/socket-owner.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { DisplayRoute } from '#machines/renderer/events.ts';

export interface DisplayCandidate {
  readonly route: DisplayRoute;
  /** Variables that point the browser to it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FoundDisplays {
  readonly displays: readonly DisplayCandidate[];
  /** True if one was skipped because it belongs to another user, who would see the dashboard. */
  readonly isOtherUsers: boolean;
}

/** Where to look for sockets of displays. */
export interface DisplayPlaces {
  readonly env: ToolEnv;
  /** Id of the agent's user. */
  readonly uid: number;
  /** Folder with one folder per user with a session. */
  readonly runtimeRoot?: string;
  readonly x11Folder?: string;
}

/** Most displays tried; each costs one start of the browser. */
const CANDIDATE_LIMIT = 6;
/** Longest wait for a display's socket to accept, in milliseconds. */
const ACCEPT_MS = 500;

const list = (folder: string): Promise<readonly string[]> =>
  readdir(folder).then(
    (names) => names.toSorted(),
    () => [],
  );

/** True if a Unix socket accepts connections: the file of a dead compositor stays behind. */
const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ACCEPT_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** Files that let a session's user in at its X server, besides `~/.Xauthority`. */
const X_AUTHORITY = /^(?:Xauthority|xauth_\w+|\.mutter-Xwaylandauth\.\w+)$/;

async function authorityIn(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const name = (await list(folder)).find((entry) => X_AUTHORITY.test(entry));
    if (name !== undefined) return join(folder, name);
  }
  return null;
}

interface Found extends DisplayCandidate {
  /** True if the agent's environment names it. */
  readonly named: boolean;
  /** Null for a display of another machine, which only the browser can try. */
  readonly socket: string | null;
}

/** Wayland sockets: the one named by the environment, and those in the runtime folders that the agent may read. */
async function waylandDisplays(
  env: ToolEnv,
  ownRuntime: string,
  runtimes: readonly string[],
): Promise<readonly Found[]> {
  const variable = env['WAYLAND_DISPLAY'] ?? '';
  const own = variable === '' ? null : isAbsolute(variable) ? variable : join(ownRuntime, variable);
  const seen: string[] = own === null ? [] : [own];
  for (const runtime of runtimes)
    seen.push(...(await list(runtime)).filter((name) => /^wayland-\d+$/.test(name)).map((name) => join(runtime, name)));
  return [...new Set(seen)].map((socket) => ({
    route: 'wayland',
    named: socket === own,
    socket,
    env: { XDG_RUNTIME_DIR: dirname(socket), WAYLAND_DISPLAY: basename(socket) },
  }));
}

/** X displays: the one named by the environment, and every local server. */
async function xDisplays(env: ToolEnv, folder: string, authority: string | null): Promise<readonly Found[]> {
  const variable = env['DISPLAY'] ?? '';
  const socketOf = (display: string): string | null => {
    const number = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display)?.[1];
    return number === undefined ? null : join(folder, `X${number}`);
  };
  const own = variable === '' ? [] : [variable];
  const local = (await list(folder)).flatMap((name) => (/^X\d+$/.test(name) ? [`:${name.slice(1)}`] : []));
  const others = local.filter((display) => !own.some((named) => socketOf(named) === socketOf(display)));
  return [...own, ...others].map((display) => ({
    route: 'x11',
    named: display === variable,
    socket: socketOf(display),
    env: { DISPLAY: display, ...(authority !== null && { XAUTHORITY: authority }) },
  }));
}

/**
 * Displays that accept connections, in the order to try them: those named by the environment before those found,
 * Wayland before X11. One that is only found must belong to the agent's user or to root, because any user can put a
 * socket into the folder of the X servers.
 */
export async function findDisplays({
  env,
  uid,
  runtimeRoot = '/run/user',
  x11Folder = '/tmp/.X11-unix',
}: DisplayPlaces): Promise<FoundDisplays> {
  const ownRuntime = env['XDG_RUNTIME_DIR'] ?? join(runtimeRoot, String(uid));
  const runtimes = [...new Set([ownRuntime, ...(await list(runtimeRoot)).map((name) => join(runtimeRoot, name))])];
  const authority =
    env['XAUTHORITY'] ?? (await authorityIn(runtimes.flatMap((runtime) => [join(runtime, 'gdm'), runtime])));
  const found = [
    ...(await waylandDisplays(env, ownRuntime, runtimes)),
    ...(await xDisplays(env, x11Folder, authority)),
  ];
  const open: DisplayCandidate[] = [];
  let isOtherUsers = false;
  for (const { route, env: displayEnv, socket, named } of [
    ...found.filter((one) => one.named),
    ...found.filter((one) => !one.named),
  ]) {
    const owner = named || socket === null ? 'own' : await socketOwner(socket, uid);
    if (owner === 'other') isOtherUsers = true;
    if (owner === 'own' && open.length < CANDIDATE_LIMIT && (socket === null || (await accepts(socket))))
      open.push({ route, env: displayEnv });
  }
  return { displays: open, isOtherUsers };
}
