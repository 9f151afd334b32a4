import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { markIn } from '#drivers/renderer/find-mark.ts';
import type { Corner } from '#drivers/renderer/png-corner.ts';
import { listenersIn } from '#machines/approvals/exposed-by.ts';
import { StatusDocument } from '#machines/status.ts';
import { amount } from '#test/fakes/amount.ts';
import { brokerMissing, MOSQUITTO } from '#test/broker/mosquitto.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { startXScreen, type XScreen } from '#test/drivers/renderer/x-screen.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { buildHome } from '#test/network/build-home.ts';
import { callerOn, configureBroker, conversation } from '#test/network/house.ts';
import { type Lan, type Machine, makeLan, type Program } from '#test/network/lan.ts';
import { openBrowserIn, personAt } from '#test/network/person.ts';
import { whyNoNamespaces } from '#test/network/routed.ts';
import { descendants } from '#test/platform/kit/processes.ts';

import { type AgentProcess, bundle, clearAway, startAgent } from './agent-process.ts';
import { statusOf, until } from './live-agent.ts';
import { afterRestart, getJson, panelOn, type PanelOptions, postJson } from './panels.ts';

const run = promisify(execFile);
const besides = (file: string): string => fileURLToPath(new URL(`../network/${file}`, import.meta.url));
const has = (tool: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${tool}`]).then(
    () => true,
    () => false,
  );
const tools = ['Xvfb', 'xdotool', 'mosquitto_pub', 'ffmpeg'];
const present = await Promise.all(tools.map(has));
const absent = tools.filter((_, index) => present[index] === false);
const missing =
  whyNoNamespaces() ??
  (noBrowser ? 'Chromium is not installed' : null) ??
  brokerMissing ??
  (absent.length === 0 ? null : `not installed: ${absent.join(', ')}`) ??
  (existsSync(bundle) ? null : 'the agent is not built (npm run build)');
if (missing !== null) console.warn(`SKIPPED the camera on a display: ${missing}`);

const PORT = 8888;
const STREAM_PORT = 8554;
/** Where the test looks into the browser. */
const EYE_PORT = 9333;
/** How soon everything is gone once it is off, in milliseconds. */
const OFF_MS = 1000;
/** The chunk of the camera's parts and drivers (bin/parts/camera.ts). */
const CHUNK = 'bin-parts-camera.js';
const [USER, PASSWORD] = ['panel', 'broker-password'];

const whole = 'inset:0;width:100%;height:100%;max-width:none;max-height:none;box-sizing:border-box;border:0';
const put = (html: string): string => `document.body.insertAdjacentHTML('beforeend', '${html}')`;
const [dialog, popover] = ['document.querySelector("dialog")', 'document.querySelector("[popover]")'];
/** What a page puts over the mark, and the colour that is then beside it. */
const attacks: readonly (readonly [script: string, colour: string])[] = [
  [`${put(`<dialog style="${whole};background:#008000">`)}; ${dialog}.showModal()`, '0,128,0'],
  [`${put(`<p popover style="${whole};background:#000080">`)}; ${dialog}.close(); ${popover}.showPopover()`, '0,0,128'],
  [put('<style>* { display: none !important }</style>'), '255,255,255'],
];
/** The colour of a pixel below the mark. */
const beside = ({ width, rgb }: Corner): string => rgb.subarray((90 * width + 90) * 3, (90 * width + 91) * 3).join();

type Json = Readonly<Record<string, unknown>>;

/** The panel with its display, and a neighbour with a broker. */
interface Scene {
  readonly lan: Lan;
  readonly screen: XScreen;
  readonly panel: Machine;
  readonly neighbour: Machine;
  readonly local: ReturnType<typeof callerOn>;
  readonly peer: ReturnType<typeof callerOn>;
  readonly eye: ReturnType<typeof conversation>;
}

async function makeScene(): Promise<Scene> {
  const [lan, screen] = await Promise.all([makeLan(2), startXScreen()]);
  const [panel, neighbour] = lan.machines;
  if (panel === undefined || neighbour === undefined) throw new Error('no network');
  return {
    lan,
    screen,
    panel,
    neighbour,
    local: callerOn(panel, besides('caller.mjs'), PORT, '127.0.0.1'),
    peer: callerOn(neighbour, besides('caller.mjs'), PORT, panel.address),
    eye: conversation(panel.start(process.execPath, besides('browser-eye.mjs'), String(EYE_PORT))),
  };
}

afterAll(clearAway);

// One day of one panel, and what becomes of its data: each step begins where the one before it ended.
describe.skipIf(missing !== null)('the camera of a panel on a display', () => {
  let folder = '';
  let scene: Scene;
  let agent: Program;
  let options: PanelOptions;
  let player: Program | undefined;

  const { look, pages, shows, click, hold } = personAt(() => ({ display: scene.screen.display, eye: scene.eye }));
  const status = async (): Promise<StatusDocument | null> => {
    const { status: code, text } = await scene.local('/api/v1/status');
    return code === 200 ? StatusDocument().parse(JSON.parse(text)) : null;
  };
  const isMarked = async (): Promise<boolean> => markIn(await scene.screen.corner()).length > 0;
  /** Waits until the mark is in the X server's own picture, and the agent says so. */
  const marked = (where: string): Promise<unknown> =>
    until(`the mark ${where}`, async () => (await isMarked()) && (await status())?.in_use?.shown === 'overlay');
  const opens = (path: string): Promise<unknown> =>
    until(`the page ${path}`, async () => (await look(path, 'document.visibilityState')).value === 'visible');
  const act = async (verb: Json): Promise<void> => {
    expect((await scene.local('/api/v1/action', verb)).status).toBe(202);
  };
  const led = async (): Promise<Json> => {
    const { text } = await scene.local('/api/v1/simulator');
    return (JSON.parse(text) as { readonly led: Json }).led;
  };
  const red = { on: true, red: 255, green: 0, blue: 0 };
  const publish = async (light: string, command: Json): Promise<void> => {
    const topic = ['-t', `sconce/hall/${light}/set`, '-m', JSON.stringify(command)];
    await scene.neighbour.start('mosquitto_pub', '-u', USER, '-P', PASSWORD, ...topic).ended;
  };
  const encoders = (): readonly number[] => descendants(agent.pid, /^(\S*\/)?ffmpeg /);
  const streams = (): boolean =>
    ['tcp', 'tcp6'].some((file) =>
      (listenersIn(readFileSync(`/proc/${agent.pid}/net/${file}`, 'utf8')) ?? []).some(
        ({ port }) => port === STREAM_PORT,
      ),
    );
  const isLive = async (): Promise<boolean> => (await status())?.camera.state === 'live';
  const gone = async (): Promise<boolean> => !streams() && encoders().length === 0 && !(await isMarked());

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sconce-camera-screen-'));
    options = panelOn(1, { data: join(folder, 'data') });
    const bin = openBrowserIn(folder, EYE_PORT);
    mkdirSync(options.data, { mode: 0o700 });
    // As a panel keeps that it is in Hardened mode.
    writeFileSync(join(options.data, 'hardened'), '', { mode: 0o600 });
    const home = await buildHome(folder);
    scene = await makeScene();
    const { panel, neighbour, screen, local } = scene;
    neighbour.start(MOSQUITTO, '-c', configureBroker(folder, USER, PASSWORD));
    const dashboard = panel.start(process.execPath, home);
    const without = '-u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR'.split(' ');
    const env = { ...options.env, DISPLAY: screen.display, PATH: `${bin}:${process.env['PATH']}` };
    const words = Object.entries(env).map((entry) => entry.join('='));
    const how = `--profile simulated --renderer auto --no-discovery --port ${PORT} --data`.split(' ');
    agent = panel.start('env', ...without, ...words, process.execPath, bundle, 'run', ...how, options.data);
    await until(
      () => `a place to ask: ${agent.printed()}`,
      async () => (await status())?.security?.place === 'screen',
    );
    const saved = await local('/api/v1/config', {
      panel_id: 'hall',
      mqtt_broker: `mqtt://${neighbour.address}:1883`,
      mqtt_user: USER,
      mqtt_password: PASSWORD,
      ha_url: dashboard.printed().trim(),
      ha_token: 'token-of-the-test',
    });
    expect(saved.status).toBe(200);
    await until('the dashboard and the broker', async () => {
      const now = await status();
      return now?.renderer?.rendered === true && now.renderer.phase === 'showing' && now.mqtt?.phase === 'connected';
    });
  });
  afterAll(async () => {
    if (agent !== undefined) process.kill(agent.pid, 'SIGTERM');
    await agent?.ended;
    await scene?.lan.remove();
    await scene?.screen.end();
    if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  });

  it('is turned on by a press that holds, and by nothing less', async () => {
    expect(await status()).toMatchObject({ camera: { state: 'disabled' }, in_use: { shown: 'none', holders: [] } });
    const { status: code, text } = await scene.peer('/api/v1/config', { camera_enabled: true });
    expect([code, JSON.parse(text)]).toMatchObject([202, { ok: false, error: 'approval-required' }]);
    await shows('body', 'Turn on the camera');
    await shows('body', 'Everybody on this network can then watch');
    await shows('[data-who]', scene.neighbour.address);
    await click('/ask', '[data-hold]');
    expect([(await status())?.camera.state, streams()]).toEqual(['disabled', false]);
    await hold();
    await until('the port', async () => (await status())?.camera.state === 'idle' && streams());
    expect([encoders(), await isMarked()]).toEqual([[], false]);
  });

  it('begins in the dark by the LED, which holds against a command of the broker until it is lit', async () => {
    await publish('led', { state: 'ON', brightness: 255, color: { r: 0, g: 255, b: 0 } });
    await until('green', async () => (await led())['green'] === 255);
    await act({ a: 'screen_off' });
    await until('darkness', async () => (await scene.local('/api/v1/simulator')).text.includes('"powered":false'));
    const address = `rtsp://${scene.panel.address}:${STREAM_PORT}/live`;
    const how = '-v error -rtsp_transport tcp -c copy -f null -'.split(' ');
    player = scene.neighbour.start('ffmpeg', ...how.slice(0, 4), '-i', address, ...how.slice(4));
    await until('a picture', isLive);
    expect([await led(), (await status())?.in_use]).toMatchObject([red, { shown: 'led', holders: ['camera'] }]);
    expect(await isMarked()).toBe(false);

    await publish('led', { state: 'OFF' });
    // It came after that one, so both have come.
    await publish('buttons', { state: 'ON', brightness: 77 });
    await until('the other light', async () =>
      (await scene.local('/api/v1/simulator')).text.includes('"buttonBacklight":77'),
    );
    expect([await led(), await isLive()]).toMatchObject([red, true]);

    const [encoder] = encoders();
    await act({ a: 'screen_on' });
    await marked('in the light');
    await until('the command that waited', async () => (await led())['on'] === false);
    expect([encoders(), await isLive()]).toEqual([[encoder], true]);
  });

  inAll('is seen on each page, whatever that puts over it', async () => {
    // How the question ended is shown for three seconds.
    await pages(1);
    for (const path of ['/lovelace/hall', '/lovelace/kitchen']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await act({ a: 'navigate', path });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await opens(path);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await marked(`on ${path}`);
      expect(beside(await scene.screen.corner())).toBe('0,68,170');
    }
    await act({ a: 'own_pages' });
    await until('the own pages', async () => (await status())?.renderer?.place === 'own');
    await marked('on the own pages');
    const asked = await scene.peer('/api/v1/action', { a: 'reboot' });
    expect(asked.status).toBe(202);
    await until('an answer to be taken', async () => {
      const deny = 'document.querySelector("[data-answer=deny]").disabled || document.visibilityState';
      return (await look('/ask', deny)).value === 'visible';
    });
    await marked('on a question');
    await click('/ask', '[data-answer=deny]');
    await pages(1);
    await act({ a: 'navigate', path: '/lovelace/kitchen' });
    await opens('/lovelace/kitchen');
    await marked('on the dashboard again');
    for (const [script, colour] of attacks) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await look('/lovelace/kitchen', script);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await until(`the mark above ${script}`, async () => {
        const corner = await scene.screen.corner();
        return markIn(corner).length > 0 && beside(corner) === colour;
      });
    }
    await marked('above what was put over it');
    expect(await isLive()).toBe(true);
  });

  it('is by the LED while it is dark, and by the mark when it is lit again', async () => {
    const [encoder] = encoders();
    await act({ a: 'screen_off' });
    await until('the LED alone', async () => !(await isMarked()) && (await status())?.in_use?.shown === 'led');
    expect(await led()).toMatchObject(red);
    await act({ a: 'screen_on' });
    await marked('in the light again');
    await until('the LED as it was', async () => (await led())['on'] === false);
    expect([encoders(), await isLive()]).toEqual([[encoder], true]);
  });

  it('is gone within a second after a neighbour has turned it off', async () => {
    // What is copied below is a panel whose camera is on.
    cpSync(options.data, join(folder, 'kept'), { recursive: true, filter: (path) => !path.endsWith('.sock') });
    expect([streams(), encoders().length, await isMarked()]).toEqual([true, 1, true]);
    expect((await scene.peer('/api/v1/config', { camera_enabled: false })).status).toBe(200);
    await until('nothing to be left', gone, OFF_MS);
    await player?.ended;
    expect(await status()).toMatchObject({ camera: { state: 'disabled' }, in_use: { shown: 'none', holders: [] } });
  });

  /** Starts an agent on a copy of what the panel had while its camera was on. */
  const startCopy = async (name: string, machine: number) => {
    const [data, code] = [join(folder, name), join(folder, `${name}-code`)];
    mkdirSync(code);
    cpSync(join(folder, 'kept'), data, { recursive: true });
    const own = machine === 1 ? options.env : panelOn(machine).env;
    const how = panelOn(machine, { data, env: { ...own, SCONCE_KEEP_CODE: code } });
    const copy = await startAgent(how);
    return { copy, how, loaded: () => readdirSync(code).includes(CHUNK) };
  };
  const isOn = async (panel: AgentProcess): Promise<unknown> =>
    ((await getJson(panel, 'config'))['settings'] as Json)['camera_enabled'];
  const cameraOf = async ({ url }: AgentProcess) => (await statusOf(url)).camera;

  it('is off on the machine of a clone, where nothing of it is loaded', async () => {
    const { copy, loaded } = await startCopy('clone', 2);
    await until('the scan', async () => (await cameraOf(copy)).state !== 'absent');
    expect([await isOn(copy), await cameraOf(copy)]).toMatchObject([false, { state: 'disabled', stream_port: null }]);
    await copy.kill('SIGTERM');
    expect(loaded()).toBe(false);
  });

  it('is on again on its own machine, and off after each reset', async () => {
    const reset = async (scope: string): Promise<void> => {
      const { copy, how, loaded } = await startCopy(scope, 1);
      await until('the camera', async () => (await cameraOf(copy)).state === 'idle');
      expect(await isOn(copy)).toBe(true);
      expect((await cameraOf(copy)).stream_port).toBeGreaterThan(0);
      const answer = await postJson(copy, 'setup/reset', { scope, confirm: true, without_broker: true });
      expect(answer).toMatchObject({ status: 200, body: { ok: true, scope } });
      const next = await afterRestart(copy, how);
      expect(loaded()).toBe(true);
      await until('the scan', async () => (await cameraOf(next)).state !== 'absent');
      const found = [scope, await isOn(next), await cameraOf(next)];
      expect(found).toMatchObject([scope, false, { state: 'disabled', stream_port: null }]);
      await next.kill('SIGTERM');
    };
    await Promise.all(amount(['everything'], ['connection', 'settings', 'everything']).map(reset));
  });
});
