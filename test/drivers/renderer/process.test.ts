import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { afterEach, describe, expect, test } from 'vitest';

import { openBrowser } from '#drivers/renderer/open-browser.ts';
import { processTree } from '#drivers/renderer/process-tree.ts';
import { until } from '../../scenarios/live-agent.ts';
import { allGone, holderOf } from './holder.ts';
import { removeFolder } from './remove-folder.ts';
import { noBrowser, program, type Rig, START_MS, startRig } from './rig.ts';

describe.skipIf(noBrowser)('a browser process', () => {
  const rigs: Rig[] = [];
  const start = async (options: Parameters<typeof startRig>[0] = {}): Promise<Rig> => {
    const rig = await startRig(options);
    rigs.push(rig);
    return rig;
  };
  const ready = async (options: Parameters<typeof startRig>[0] = {}): Promise<Rig> => {
    const rig = await start(options);
    await rig.fact('browser.ready', undefined, { withinMs: START_MS });
    return rig;
  };
  afterEach(async () => {
    for (const rig of rigs.splice(0).toReversed()) await rig.end();
  });

  test(
    'reports that it was killed, and comes up again on the profile that it left',
    async () => {
      const rig = await ready();
      process.kill(await holderOf(rig.folder), 'SIGKILL');
      expect(await rig.fact('browser.ended')).toMatchObject({ reason: 'killed', generation: 1 });
      await rig.end(true);
      // As after the machine was renamed, too.
      await rm(join(rig.folder, 'browser', 'SingletonLock'), { force: true });
      await symlink('another-name-1234', join(rig.folder, 'browser', 'SingletonLock'));
      await ready({ folder: rig.folder });
    },
    START_MS,
  );

  test(
    'is ended when it answers no more',
    async () => {
      const rig = await ready({ deps: { probeMs: 300 } });
      const holder = await holderOf(rig.folder);
      process.kill(holder, 'SIGSTOP');
      expect(await rig.fact('browser.ended', undefined, { withinMs: 15_000 })).toMatchObject({ reason: 'no-answer' });
      await until('it is gone', () => allGone([holder]));
    },
    START_MS,
  );

  test(
    'ends by itself when the agent that started it is killed',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sconce-renderer-'));
      const script = join(folder, 'script.mjs');
      await build({
        stdin: {
          contents: `import { openBrowser } from '#drivers/renderer/open-browser.ts';
          const opened = await openBrowser(${JSON.stringify({
            program,
            profile: join(folder, 'browser'),
            extraFlags: [],
            uid: process.getuid?.() ?? -1,
          }).slice(
            0,
            -1,
          )}, env: process.env, signal: new AbortController().signal, onEvent() {}, onProcess() {} }, [{ route: 'headless', env: {} }]);
          console.log(opened.process.pid);`,
          resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
        },
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'silent',
      });
      const agent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        // A piped stdout gives buffers.
        const [line] = (await once(agent.stdout, 'data')) as [Buffer];
        // It answers before it has started all of its processes.
        let tree: readonly number[] = [];
        const grown = async () => (tree = await processTree(Number(line.toString()))).length > 3;
        await until('its processes', grown);
        agent.kill('SIGKILL');
        await until('the browser is gone', () => allGone(tree));
      } finally {
        agent.kill('SIGKILL');
        await removeFolder(folder);
      }
    },
    START_MS,
  );

  test('ends a browser that an agent left on the profile, and leaves one of somebody else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sconce-renderer-'));
    const launch = (profile: string): ReturnType<typeof spawn> =>
      spawn(
        program,
        [
          '--headless=new',
          '--disable-gpu',
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          'about:blank',
        ],
        { stdio: 'ignore' },
      );
    const left = launch(join(folder, 'browser'));
    await until('the profile is taken', () => holderOf(folder).catch(() => null));
    const rig = await ready({ folder });
    expect(await allGone([left.pid ?? 0])).toBe(true);
    await rig.end(true);

    // The same folder under another spelling: not one of an agent's browsers.
    const stranger = launch(`${folder}/browser/.`);
    try {
      await until('the profile is taken', async () => (await holderOf(folder).catch(() => null)) === stranger.pid);
      const refused = await start({ folder });
      expect(await refused.fact('browser.ended', undefined, { withinMs: START_MS })).toMatchObject({
        reason: 'profile-locked',
      });
      expect(await allGone([stranger.pid ?? 0])).toBe(false);
    } finally {
      stranger.kill('SIGKILL');
      await once(stranger, 'exit').catch(() => {});
      await removeFolder(folder);
    }
  }, 60_000);

  test(
    'says what is missing: a display first, then the browser, or a display that lets it in',
    async () => {
      const rig = await start({ deps: { names: ['no-such-browser'] } });
      expect(await rig.fact('browser.ended')).toMatchObject({ reason: 'not-installed' });
      // Without a display no browser helps.
      const bare = await start({
        deps: { names: ['no-such-browser'], displays: async () => ({ displays: [], isOtherUsers: false }) },
        input: { display: 'auto' },
      });
      expect(await bare.fact('browser.ended')).toMatchObject({ reason: 'no-display' });
      const others = await start({
        deps: { names: ['no-such-browser'], displays: async () => ({ displays: [], isOtherUsers: true }) },
        input: { display: 'auto' },
      });
      expect(await others.fact('browser.ended')).toMatchObject({ reason: 'other-users-display' });

      const folder = await mkdtemp(join(tmpdir(), 'sconce-renderer-'));
      await mkdir(join(folder, 'run'), { mode: 0o700 });
      const deps = {
        program,
        profile: join(folder, 'browser'),
        env: process.env,
        uid: process.getuid?.() ?? -1,
        extraFlags: [],
        signal: new AbortController().signal,
        onEvent: () => {},
        onProcess: () => {},
      };
      expect(
        await openBrowser(deps, [
          { route: 'x11', env: { DISPLAY: ':987' } },
          { route: 'wayland', env: { XDG_RUNTIME_DIR: join(folder, 'run'), WAYLAND_DISPLAY: 'wayland-9' } },
        ]),
      ).toBe('no-display');
      await removeFolder(folder);
    },
    START_MS,
  );
});

const has = (tool: string): Promise<boolean> =>
  promisify(execFile)('which', [tool]).then(
    () => true,
    () => false,
  );
const [hasX, hasWeston] = [await has('Xvfb'), await has('weston')];
if (!hasX) console.warn('SKIPPED renderer on X11: no Xvfb (apt-get install xvfb)');
if (!hasWeston) console.warn('SKIPPED renderer on Wayland: no weston (apt-get install weston)');

describe.skipIf(noBrowser)('a browser on a display', () => {
  /** Pixels of the whole page as it is drawn. */
  const size = async (rig: Rig, requestId: string): Promise<string> => {
    rig.tell({ type: 'page.shoot', requestId });
    const { png } = await rig.fact('page.shot', (shot) => shot.requestId === requestId);
    const bytes = Buffer.from(png ?? []);
    return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
  };

  test.skipIf(!hasX)(
    'covers the screen of an X server without a window manager',
    async () => {
      const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1024x600x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      // A piped stdout gives buffers.
      const [number] = (await once(server.stdout, 'data')) as [Buffer];
      const rig = await startRig({
        input: { display: 'auto' },
        deps: { env: { ...process.env, WAYLAND_DISPLAY: undefined, DISPLAY: `:${number.toString().trim()}` } },
      });
      try {
        expect(await rig.fact('browser.ready', undefined, { withinMs: START_MS })).toMatchObject({ route: 'x11' });
        // The row below the edge is not on the screen, and so not in the picture. The page is there before its window
        // has grown over the whole screen.
        await until(
          'the screen is covered',
          async () => (await size(rig, `plain-${performance.now()}`)) === '1024x600',
        );
        rig.tell({
          type: 'page.appearance',
          appearance: { zoomPercent: 200, theme: 'dark', kiosk: false, fullscreen: false },
        });
        await until(
          'zoomed to the same pixels',
          async () => (await size(rig, `zoomed-${performance.now()}`)) === '1024x600',
        );
      } finally {
        await rig.end();
        server.kill('SIGKILL');
      }
    },
    START_MS,
  );

  test.skipIf(!hasWeston)(
    'fills the output of a Wayland compositor, and ends with it',
    async () => {
      const runtime = await mkdtemp(join(tmpdir(), 'sconce-wayland-'));
      const compositor = spawn(
        'weston',
        [
          '--backend=headless-backend.so',
          '--shell=kiosk-shell.so',
          '--socket=wayland-7',
          '--width=1280',
          '--height=800',
        ],
        { stdio: 'ignore', env: { ...process.env, XDG_RUNTIME_DIR: runtime } },
      );
      let rig: Rig | undefined;
      try {
        await until('the compositor is up', () => existsSync(join(runtime, 'wayland-7')));
        rig = await startRig({
          input: { display: 'auto' },
          deps: { env: { ...process.env, DISPLAY: undefined, XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: undefined } },
        });
        expect(await rig.fact('browser.ready', undefined, { withinMs: START_MS })).toMatchObject({ route: 'wayland' });
        expect(await size(rig, 'plain')).toBe('1280x800');
        compositor.kill('SIGKILL');
        expect(await rig.fact('browser.ended')).toMatchObject({ generation: 1 });
      } finally {
        await rig?.end();
        compositor.kill('SIGKILL');
        await rm(runtime, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
