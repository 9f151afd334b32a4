import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { socketOwner } from '#drivers/kit/socket-owner.ts';
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
  /** Whether one was passed over that another user has. */
  readonly isOtherUsers: (kind: SessionKind) => Promise<boolean>;
  /** The sessions of both kinds by the names of their sockets. */
  readonly names: () => Promise<readonly string[]>;
}

/** Where sockets are. */
export interface SessionPlaces {
  readonly env: ToolEnv;
  /** The X servers' sockets; the system's own folder when absent. */
  readonly x11?: string;
}

/** Sessions of this user or root by their sockets: `wayland-N` in the runtime folder, `XN` in the X servers' folder. */
export function socketSessions({ env, x11 = '/tmp/.X11-unix' }: SessionPlaces): Sessions {
  const uid = process.getuid?.() ?? 0;
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${uid}`;
  const places = {
    wayland: { folder: runtime, pattern: /^wayland-\d{1,3}$/ },
    x11: { folder: x11, pattern: /^X\d{1,3}$/ },
  } as const satisfies Readonly<Record<SessionKind, { readonly folder: string; readonly pattern: RegExp }>>;
  const socketsIn = async (kind: SessionKind, owned: 'own' | 'other' = 'own'): Promise<readonly string[]> => {
    const { folder, pattern } = places[kind];
    const names = (await readdir(folder).catch((): string[] => [])).filter((name) => pattern.test(name)).toSorted();
    const owners = await Promise.all(names.map((name) => socketOwner(join(folder, name), uid)));
    return names.filter((_, index) => owners[index] === owned);
  };
  return {
    names: async () => (await Promise.all([socketsIn('wayland'), socketsIn('x11')])).flat(),
    isOtherUsers: async (kind) => (await socketsIn(kind, 'other')).length > 0,
    find: async (kind) => {
      if (kind === 'wayland') {
        const names = await socketsIn('wayland');
        return names.map((name) => ({ ...env, XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: name }));
      }
      const names = await socketsIn('x11');
      const authority = env['XAUTHORITY'] ?? join(homedir(), '.Xauthority');
      return names.map((name) => ({ ...env, DISPLAY: `:${name.slice(1)}`, XAUTHORITY: authority }));
    },
  };
}

/** The answer of the first session that gives one; without a session that is said, else the last session's refusal. */
export async function inSession<T>(
  sessions: Sessions,
  kind: SessionKind,
  ask: (env: ToolEnv) => Promise<Result<T, RouteRefusal>>,
): Promise<Result<T, RouteRefusal>> {
  const found = await sessions.find(kind);
  let last: Result<T, RouteRefusal> =
    found.length === 0 && (await sessions.isOtherUsers(kind))
      ? refuse('other-users', 'The session belongs to another user.')
      : refuse('no-session', 'No session of this kind runs.');
  for (const env of found) {
    // oxlint-disable-next-line no-await-in-loop -- the next session is asked only when this one refuses
    last = await ask(env);
    if (last.ok) return last;
  }
  return last;
}
