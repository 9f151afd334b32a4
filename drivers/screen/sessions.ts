import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import { refuse, type Result } from '#machines/kit/result.ts';

import type { RouteRefusal } from './route.ts';

/** Which protocol a session of the desktop speaks. */
export type SessionKind = 'wayland' | 'x11';

/**
 * Scans for running sessions, anew each time: environments for tools, found by the sockets that are there and by no
 * name of a desktop.
 */
export interface Sessions {
  readonly find: (kind: SessionKind) => Promise<readonly ToolEnv[]>;
  /** The sessions of both kinds by the names of their sockets. */
  readonly names: () => Promise<readonly string[]>;
}

/** Where sockets are. */
export interface SessionPlaces {
  readonly env: ToolEnv;
  /** The X servers' sockets; the system's own folder when absent. */
  readonly x11?: string;
}

const isSocket = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isSocket(),
    () => false,
  );

/** Sessions of this user by their sockets: `wayland-N` in the runtime folder, `XN` in the X servers' folder. */
export const socketSessions = ({ env, x11 = '/tmp/.X11-unix' }: SessionPlaces): Sessions => {
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.() ?? 0}`;
  const socketsIn = async (folder: string, pattern: RegExp): Promise<readonly string[]> => {
    const names = (await readdir(folder).catch((): string[] => [])).filter((name) => pattern.test(name)).toSorted();
    const there = await Promise.all(names.map((name) => isSocket(join(folder, name))));
    return names.filter((_, index) => there[index]);
  };
  const waylandNames = (): Promise<readonly string[]> => socketsIn(runtime, /^wayland-\d{1,3}$/);
  const x11Names = (): Promise<readonly string[]> => socketsIn(x11, /^X\d{1,3}$/);
  return {
    names: async () => (await Promise.all([waylandNames(), x11Names()])).flat(),
    find: async (kind) => {
      if (kind === 'wayland') {
        const names = await waylandNames();
        return names.map((name) => ({ ...env, XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: name }));
      }
      const names = await x11Names();
      const authority = env['XAUTHORITY'] ?? join(homedir(), '.Xauthority');
      return names.map((name) => ({ ...env, DISPLAY: `:${name.slice(1)}`, XAUTHORITY: authority }));
    },
  };
};

/** The answer of the first session that gives one; without a session that is said, else the last session's refusal. */
export const inSession = async <T>(
  sessions: Sessions,
  kind: SessionKind,
  ask: (env: ToolEnv) => Promise<Result<T, RouteRefusal>>,
): Promise<Result<T, RouteRefusal>> => {
  let last: Result<T, RouteRefusal> = refuse('no-session', 'No session of this kind runs.');
  for (const env of await sessions.find(kind)) {
    // oxlint-disable-next-line no-await-in-loop -- the next session is asked only when this one refuses
    last = await ask(env);
    if (last.ok) return last;
  }
  return last;
};
