import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listenersIn } from '#machines/approvals/exposed-by.ts';
import { StatusDocument } from '#machines/status.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { startXScreen, type XScreen } from '#test/drivers/renderer/x-screen.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { browserOf } from '#test/platform/kit/processes.ts';
import { until } from '#test/scenarios/live-agent.ts';

import { buildProgram } from './build-program.ts';
import type { PeerOrder } from './companion-peer.ts';
import { callerOn, conversation } from './house.ts';
import { type Lan, type Machine, makeLan, type Program } from './lan.ts';
import { openBrowserIn, personAt } from './person.ts';
import { whyNoNamespaces } from './routed.ts';

const run = promisify(execFile);
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const has = (tool: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${tool}`]).then(
    () => true,
    () => false,
  );
const [hasX, hasTool] = await Promise.all([has('Xvfb'), has('xdotool')]);
const missing =
  whyNoNamespaces() ??
  (noBrowser ? 'Chromium is not installed' : null) ??
  (hasX && hasTool ? null : 'no Xvfb or xdotool (apt-get install xvfb xdotool)') ??
  (existsSync(bundle) ? null : 'the agent is not built (npm run build)');
if (missing !== null) console.warn(`SKIPPED approvals on a display: ${missing}`);

const PORT = 8888;
/** Where the test looks into the browser. */
const EYE_PORT = 9333;
const reboot = { a: 'reboot' };
const sound = { url: 'http://10.99.0.2/bell.mp3' };

type Answer = Readonly<Record<string, unknown>>;
type Call = ReturnType<typeof callerOn>;
type Peer = (order: PeerOrder) => Promise<Answer>;

/** The panel, two neighbours, and the screen with its mouse. */
interface Scene {
  readonly lan: Lan;
  readonly screen: XScreen;
  readonly panel: Machine;
  readonly neighbour: Machine;
  readonly other: Machine;
  /** Callers on the panel itself and on the neighbours. */
  readonly local: Call;
  readonly one: Call;
  readonly two: Call;
  readonly eye: ReturnType<typeof conversation>;
}

async function makeScene(): Promise<Scene> {
  const [lan, screen] = await Promise.all([makeLan(3), startXScreen('1280x800')]);
  const [panel, neighbour, other] = lan.machines;
  if (panel === undefined || neighbour === undefined || other === undefined) throw new Error('no network');
  const caller = (on: Machine, host: string): Call => callerOn(on, besides('caller.mjs'), PORT, host);
  return {
    lan,
    screen,
    panel,
    neighbour,
    other,
    local: caller(panel, '127.0.0.1'),
    one: caller(neighbour, panel.address),
    two: caller(other, panel.address),
    eye: conversation(panel.start(process.execPath, besides('browser-eye.mjs'), String(EYE_PORT))),
  };
}

// One day of one panel: each step begins where the one before it ended.
describe.skipIf(missing !== null)('a panel on a display, its neighbours, and a person with a mouse', () => {
  let folder = '';
  let data = '';
  let scene: Scene;
  let agent: Program;

  const answer = async (from: Call, path: string, body?: object): Promise<Answer> => {
    const { status, text } = await from(path, body);
    // The service answers with objects; their fields are compared.
    return { status, ...(status === 0 ? {} : (JSON.parse(text) as object)) };
  };
  const status = async (): Promise<StatusDocument | null> => {
    const { status: code, text } = await scene.local('/api/v1/status');
    return code === 200 ? StatusDocument().parse(JSON.parse(text)) : null;
  };
  const security = async (): Promise<StatusDocument['security'] | undefined> => (await status())?.security;
  const stateOf = async (from: Call, id: string): Promise<unknown> => {
    const { status: code, state } = await answer(from, `/api/v1/approvals/${id}`);
    return code === 200 ? state : code;
  };
  /** Sends what a person has to approve; returns its id. */
  const asked = async (from: Call, path: string, body: object): Promise<string> => {
    const given = await answer(from, path, body);
    expect(given).toMatchObject({ status: 202, ok: false, error: 'approval-required' });
    return String(given['approval_id']);
  };
  const isLit = async (): Promise<boolean> => {
    const { text } = await scene.local('/api/v1/simulator');
    return /"powered":(\w+)/.exec(text)?.[1] === 'true';
  };
  const command = async (...words: readonly string[]): Promise<string> => {
    const program = scene.panel.start(process.execPath, bundle, 'approvals', ...words, '--data', data);
    await program.ended;
    return program.printed();
  };

  const { look, pages, shows, click, go, hold } = personAt(() => ({
    display: scene.screen.display,
    eye: scene.eye,
  }));
  const follow = (path: string, selector: string, next: string): Promise<void> =>
    go(path, selector, async () => (await look(next, '"open"')).value === 'open');

  const startAgent = async (): Promise<void> => {
    const display = `-u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR DISPLAY=${scene.screen.display}`.split(' ');
    const path = `PATH=${join(folder, 'bin')}:${process.env['PATH']}`;
    const options = `--profile simulated --renderer auto --no-discovery --port ${PORT} --data`.split(' ');
    agent = scene.panel.start('env', ...display, path, process.execPath, bundle, 'run', ...options, data);
    await until(
      () => `a place to ask: ${agent.printed()}`,
      async () => (await security())?.place === 'screen',
    );
  };
  /** What asking may cost: open pages, ports, sockets of its own, and files of the mode. */
  const held = async () => {
    const net = (file: string): string => readFileSync(`/proc/${agent.pid}/net/${file}`, 'utf8');
    const ports = ['tcp', 'tcp6'].flatMap((file) => (listenersIn(net(file)) ?? []).map(({ port }) => port));
    return {
      pages: (await look()).pages.length,
      ports: ports.toSorted((a, b) => a - b),
      sockets: net('unix')
        .split('\n')
        .filter((line) => line.includes(folder)).length,
      files: readdirSync(data).filter((name) => ['approvals.sock', 'hardened'].includes(name)),
    };
  };
  /** Who asks is told on the panel's screen and on its command line only. */
  const expectNoAddress = async (): Promise<void> => {
    const paths = ['/api/v1/status', '/api/v1/diag', '/api/v1/history'];
    const texts = await Promise.all(paths.map(async (path) => (await scene.local(path)).text));
    for (const text of [...texts, agent.printed()]) expect(text).not.toContain(scene.neighbour.address);
  };
  const nothing = { pages: 1, ports: [PORT, EYE_PORT], sockets: 0, files: [] };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sconce-approvals-'));
    data = join(folder, 'data');
    openBrowserIn(folder, EYE_PORT);
    scene = await makeScene();
    await startAgent();
  });
  afterAll(async () => {
    if (agent !== undefined) process.kill(agent.pid, 'SIGTERM');
    await agent?.ended;
    await scene?.lan.remove();
    await scene?.screen.end();
    if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  });

  it('costs nothing and asks nothing in Relaxed mode', async () => {
    expect(await held()).toEqual(nothing);
    expect(await answer(scene.one, '/api/v1/action', reboot)).toMatchObject({ status: 202, ok: true });
  });

  /** Speaks to the panel as Home Assistant does, from a neighbour. */
  const peerOn = async (machine: Machine): Promise<Peer> => {
    const program = await buildProgram(folder, `peer-${machine.address}`, "import './companion-peer.ts';");
    const ask = conversation(machine.start(process.execPath, program, String(PORT), scene.panel.address));
    // As the program prints it.
    return async (order) => JSON.parse(await ask(order.does, order)) as Answer;
  };
  /** Begins a pairing; returns once its digits are on the screen. */
  const begins = async (peer: Peer): Promise<string> => {
    const digits = String((await peer({ does: 'pair' }))['digits']);
    await shows('[data-code]', `${digits.slice(0, 3)}\u00A0${digits.slice(3)}`);
    return digits;
  };
  /** How much of the place of the digits is drawn, in the X server's own picture; 0 if something lies over them. */
  const drawnDigits = async (): Promise<number> => {
    const { value } = await look(
      '/ask',
      `(() => {
        const code = document.querySelector('[data-code]');
        const { left, top, height } = code.getBoundingClientRect();
        return [left, top, height, code.contains(document.elementFromPoint(left + 10, top + height - 5))].join(' ');
      })()`,
    );
    const [left = 0, top = 0, side = 0] = value.split(' ').map((word) => Math.round(Number(word)));
    if (!value.endsWith('true')) return 0;
    const { rgb } = await scene.screen.square(left, top, side);
    const ground = rgb.subarray(0, 3).join();
    const pixels = Array.from({ length: side * side }, (_, at) => rgb.subarray(at * 3, at * 3 + 3).join());
    return pixels.filter((pixel) => pixel !== ground).length / pixels.length;
  };
  const companion = async () => (await status())?.companion;

  it('is hardened on its own screen: from the page about the missing address to Security', async () => {
    await follow('/glass', 'a[href="/"]', '/');
    await follow('/', 'nav a[href="/configure"]', '/configure');
    await follow('/configure', 'a[href="/security"]', '/security');
    await go('/security', '[data-wants=hardened]', async () => (await look()).pages.length === 2);
    await hold();
    expect(await security()).toMatchObject({ mode: 'hardened', barred: [] });
    await pages(1);
    expect(await held()).toEqual({ ...nothing, sockets: 1, files: ['approvals.sock', 'hardened'] });
  });

  it('is lit, and approved by a press that holds; that lets one repetition of the same device through', async () => {
    await answer(scene.local, '/api/v1/action', { a: 'screen_off' });
    await until('darkness', async () => !(await isLit()));
    const id = await asked(scene.one, '/api/v1/play', sound);
    expect([await stateOf(scene.one, id), await stateOf(scene.two, id)]).toEqual(['pending', 404]);
    expect(await security()).toMatchObject({ pending: 1, approved: 0 });
    await until('light', isLit);
    await shows('[data-who]', scene.neighbour.address);
    await shows('[data-what]', sound.url);
    // A click is no approval.
    await click('/ask', '[data-hold]');
    expect(await stateOf(scene.one, id)).toBe('pending');
    await hold();
    expect([await stateOf(scene.one, id), await stateOf(scene.two, id)]).toEqual(['approved', 404]);

    const before = (await status())?.announcement?.generation ?? -1;
    await asked(scene.two, '/api/v1/play', sound);
    expect(await answer(scene.one, '/api/v1/play', sound)).toMatchObject({ ok: true, generation: before + 1 });
    expect(await asked(scene.one, '/api/v1/play', sound)).not.toBe(id);
    expect(await stateOf(scene.one, id)).toBe('absent');
    expect((await status())?.announcement).toMatchObject({ generation: before + 1 });
  });

  it('asks again in a new browser, and ignores a device', async () => {
    await shows('[data-position]', '1 of 2');
    process.kill(browserOf(agent.pid), 'SIGKILL');
    await until('the end of that browser', async () =>
      (await status())?.renderer?.restarts.some(({ reason }) => reason === 'killed'),
    );
    await shows('[data-position]', '1 of 2');
    await click('/ask', '[data-answer=ignore]');
    await shows('[data-mark]', 'Denied and ignored');
    expect(await answer(scene.two, '/api/v1/action', reboot)).toMatchObject({ status: 403, error: 'device-ignored' });
  });

  it('forgets what waits when it is killed, and is still hardened', async () => {
    // The one that waits since before.
    const id = await asked(scene.one, '/api/v1/play', sound);
    await expectNoAddress();
    await agent.kill();
    await startAgent();
    expect(await security()).toMatchObject({ mode: 'hardened', pending: 0 });
    expect(await stateOf(scene.one, id)).toBe(404);
    expect(await asked(scene.one, '/api/v1/play', sound)).not.toBe(id);
  });

  it('is denied with the mouse, and by the command line', async () => {
    const id = await asked(scene.one, '/api/v1/play', sound);
    await click('/ask', '[data-answer=deny]');
    await shows('[data-mark]', 'Denied');
    expect(await stateOf(scene.one, id)).toBe('absent');

    const next = await asked(scene.one, '/api/v1/action', reboot);
    expect(await command()).toMatch(new RegExp(`^Hardened mode: .*who: +${scene.neighbour.address}.*${next}`, 's'));
    expect(await command('deny', next.slice(0, 8))).toMatch(/^Denied: /);
    expect(await stateOf(scene.one, next)).toBe('absent');
  });

  it('is relaxed by the command line, and has nothing left of it', async () => {
    const id = await asked(scene.one, '/api/v1/action', reboot);
    await expectNoAddress();
    expect(await command('--relaxed')).toMatch(/^The panel has left Hardened mode/);
    await expect.poll(held, { timeout: 20_000 }).toEqual(nothing);
    expect(await stateOf(scene.one, id)).toBe('absent');
    expect(await answer(scene.one, '/api/v1/action', reboot)).toMatchObject({ status: 202, ok: true });
  });

  it('is paired with a peer whose digits it shows, by a press that holds', async () => {
    await answer(scene.local, '/api/v1/config', { entity_surface: 'native' });
    const peer = await peerOn(scene.neighbour);
    await begins(peer);
    await shows('[data-title]', 'Pair Home Assistant');
    await shows('[data-consequence]', 'Approve only once Home Assistant has accepted these digits.');
    await until('the digits in the picture', async () => (await drawnDigits()) > 0.1);
    expect(await companion()).toMatchObject({ state: 'pairing', paired: 0 });
    await peer({ does: 'confirm' });
    await hold();
    expect(await peer({ does: 'paired' })).toMatchObject({ paired: true });
    expect(await peer({ does: 'connect' })).toMatchObject({ items: expect.any(Number) });
    expect(await peer({ does: 'set', k: 'volume', v: 31 })).toMatchObject({ ok: true });
    expect(await companion()).toMatchObject({ state: 'connected', paired: 1, sessions: 1 });
  });

  inAll('keeps no key that is denied, had wrong digits, or whose peer left', async () => {
    const [one, two] = await Promise.all([peerOn(scene.neighbour), peerOn(scene.other)]);
    await pages(1);
    await begins(one);
    // It is another one than the panel shows: Home Assistant leaves, and the question with it.
    await one({ does: 'leave' });
    await pages(1);
    await begins(one);
    await hold();
    await one({ does: 'leave' });
    await pages(1);
    await begins(two);
    await two({ does: 'confirm' });
    await click('/ask', '[data-answer=deny]');
    expect(await two({ does: 'paired' })).toMatchObject({ refused: 'denied' });
    await pages(1);
    expect(await companion()).toMatchObject({ paired: 1 });
    await expectNoAddress();
  });
});
