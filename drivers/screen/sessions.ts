import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { socketOwner } from '#drivers/kit/socket-owner.ts';
import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import { refuse, type Result } from '#machines/kit/result.ts';

import type { RouteRefusal } from './route.ts';

/** Protocol of a desktop session. */
export type SessionKind = 'wayland' | 'x11';

/**
 * Finds running sessions by their sockets, not by names of desktops, and returns environments for tools. Every call
 * scans again.
 */
export interface Sessions {
  readonly find: (kind: SessionKind) => Promise<readonly ToolEnv[]>;
  /** True if another user has a session of this kind. */
  readonly isOtherUsers: (kind: SessionKind) => Promise<boolean>;
  /** Names of the sockets of both kinds of sessions. */
  readonly names: () => Promise<readonly string[]>;
}

export interface SessionPlaces {
  readonly env: ToolEnv;
  /** Folder of the X servers' sockets; the system's by default. */
  readonly x11?: string;
}

/**
 * Finds sessions of this user or root by their sockets: `wayland-N` in the runtime folder, `XN` in that of the X
 * servers.
 */
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

/**
 * Returns the answer of the first session that gives one, else the refusal of the last; without a session the refusal
 * says so.
 */
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
    // oxlint-disable-next-line no-await-in-loop -- the next session is tried only if this one refuses
    last = await ask(env);
    if (last.ok) return last;
  }
  return last;
}
