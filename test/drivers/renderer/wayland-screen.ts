import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Corner } from '#drivers/renderer/png-corner.ts';
import { until } from '../../scenarios/live-agent.ts';
import { startXScreen } from './x-screen.ts';

/** A Wayland compositor and what it shows. */
export interface WaylandScreen {
  readonly env: NodeJS.ProcessEnv;
  /** The top left corner of what it draws. */
  readonly corner: () => Promise<Corner>;
  readonly end: () => Promise<void>;
}

export const hasWeston = ['weston', 'Xvfb'].every((name) => existsSync(`/usr/bin/${name}`));

/** Starts one that draws into an X server, and shows each window as a kiosk does. */
export async function startWaylandScreen(): Promise<WaylandScreen> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-wl-'));
  const x = await startXScreen();
  const name = 'wayland-test';
  const how = ['--backend=x11-backend.so', '--use-pixman', '--shell=kiosk-shell.so', '--no-config', '--idle-time=0'];
  const display = { ...x.env, XDG_RUNTIME_DIR: folder };
  const server = spawn('weston', [...how, '--width=800', '--height=480', `--socket=${name}`], {
    env: display,
    stdio: 'ignore',
  });
  await until('the compositor listens', () => existsSync(join(folder, name)));
  return {
    env: { ...display, DISPLAY: undefined, WAYLAND_DISPLAY: name },
    corner: x.corner,
    end: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await x.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
