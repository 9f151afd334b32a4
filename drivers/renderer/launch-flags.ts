import { existsSync } from 'node:fs';

import type { DisplayRoute } from '#machines/renderer/events.ts';

/** Size of the page without a display, in CSS pixels at 100 percent. */
export const UNSEEN_SIZE = { width: 1280, height: 800 } as const;
/** Size of the browser's disk cache in bytes: a dashboard needs under 10 MB, and writing wears out flash. */
const DISK_CACHE_BYTES = 64 * 1024 * 1024;

export interface FlagFacts {
  readonly route: DisplayRoute;
  readonly profile: string;
  /** Id of the agent's user. */
  readonly uid: number;
  /** True if a device file of a GPU exists. */
  readonly gpu: boolean;
  readonly extra: readonly string[];
}

/** True if a device file of a GPU exists. */
export const hasGpu = (): boolean =>
  ['/dev/dri', '/dev/mali0', '/dev/kgsl-3d0', '/dev/nvidiactl'].some((path) => existsSync(path));

const routeFlags: Readonly<Record<DisplayRoute, readonly string[]>> = {
  wayland: ['--ozone-platform=wayland', '--kiosk'],
  x11: ['--ozone-platform=x11', '--kiosk'],
  headless: ['--headless=new', `--window-size=${UNSEEN_SIZE.width},${UNSEEN_SIZE.height}`],
};

/**
 * Flags of the browser (measured with Chromium 156). The sandbox is off for uid 0 only, where Chromium refuses to run
 * with it; on a panel the agent is an ordinary user and keeps the sandbox.
 */
export const launchFlags = ({ route, profile, uid, gpu, extra }: FlagFacts): readonly string[] => [
  ...routeFlags[route],
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  `--disk-cache-size=${DISK_CACHE_BYTES}`,
  '--no-first-run',
  '--no-default-browser-check',
  '--noerrdialogs',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-hang-monitor',
  '--deny-permission-prompts',
  '--disable-extensions',
  '--disable-features=Translate,MediaRouter,GlobalMediaControls',
  '--password-store=basic',
  '--hide-crash-restore-bubble',
  '--hide-scrollbars',
  '--overscroll-history-navigation=0',
  '--disable-pinch',
  '--touch-events=enabled',
  '--autoplay-policy=no-user-gesture-required',
  ...(gpu ? [] : ['--disable-gpu']),
  ...(uid === 0 ? ['--no-sandbox'] : []),
  ...extra,
  'about:blank',
];
