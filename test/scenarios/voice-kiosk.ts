import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'vitest';
import type { WebSocket } from 'ws';

import { markIn } from '#drivers/renderer/find-mark.ts';
import type { InUseHolder } from '#machines/in-use/events.ts';
import type { VoicePhase } from '#machines/kit/voice-phase.ts';
import type { StatusDocument } from '#machines/status.ts';
import { wav } from '#test/drivers/announcer/tones.ts';
import { type HomeAssistantPage, serveHomeAssistant } from '#test/drivers/renderer/home-assistant-page.ts';
import { startXScreen, type XScreen } from '#test/drivers/renderer/x-screen.ts';
import { type FakeHomeAssistant, startFakeHomeAssistant } from '#test/drivers/sign-in/fake-home-assistant.ts';
import { type AssistRun, type FakeAssist, runStart, withAssist } from '#test/fakes/assist-server.ts';
import { conversation } from '#test/network/house.ts';
import { openBrowserIn, personAt } from '#test/network/person.ts';

import { type AgentProcess, startAgent } from './agent-process.ts';
import { freePort, post, statusOf, until } from './live-agent.ts';

type Json = Readonly<Record<string, unknown>>;

const run = promisify(execFile);

/** Pipelines of the home: the preferred one, another one, and one that cannot hear. */
export const pipelines = [
  { id: '01kpreferred', name: 'Home', stt_engine: 'stt.one', tts_engine: 'tts.one' },
  { id: '01kother', name: 'Cloud', stt_engine: 'stt.two', tts_engine: 'tts.two' },
  { id: '01ktyped', name: 'Typed only', stt_engine: null, tts_engine: null },
] as const;

const answers: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ['get_config', { state: 'RUNNING' }],
  ['auth/current_user', { id: 'u', is_admin: false }],
  ['assist_pipeline/pipeline/list', { pipelines, preferred_pipeline: pipelines[0].id }],
]);

function converse({ id, type }: Json, socket: WebSocket): void {
  const send = (message: unknown): void => socket.send(JSON.stringify(message));
  if (type === 'auth') send({ type: 'auth_ok', ha_version: '2026.11.0' });
  else if (type === 'ping') send({ id, type: 'pong' });
  else if (answers.has(type)) send({ id, type: 'result', success: true, result: answers.get(type) });
  else send({ id, type: 'result', success: false, error: { code: 'unauthorized', message: 'not for this account' } });
}

/** Keeps its configuration as Home Assistant's page does, and shows its Assist button only where it leads somewhere. */
const FRONTEND = `
  const external = { config: { hasAssist: null } };
  document.querySelector('home-assistant').hass.auth = { external };
  const answered = window.externalBus;
  window.externalBus = (message) => {
    if (message.type === 'result' && 'hasAssist' in (message.result ?? {})) external.config = message.result;
    answered(message);
  };
  const assists = document.body.appendChild(document.createElement('p'));
  assists.style.cssText = 'position:fixed;left:100px;top:160px;margin:0';
  for (const [name, pipeline] of [['header', 'last_used'], ['card', '${pipelines[1].id}']]) {
    const button = assists.appendChild(document.createElement('button'));
    button.id = name;
    button.style.cssText = 'width:120px;height:60px';
    button.onclick = () => {
      if (external.config.hasAssist) bus('assist/show', { pipeline_id: pipeline, start_listening: true });
    };
  }
  window.hasAssist = () => external.config.hasAssist;
`;

/** A home whose page is a stand-in, and whose Assist does what the test says. */
export interface KioskHome {
  readonly origin: string;
  readonly page: HomeAssistantPage;
  readonly assist: FakeAssist;
  readonly server: FakeHomeAssistant;
  readonly stop: () => Promise<void>;
}

export async function startKioskHome(): Promise<KioskHome> {
  const [page, server] = await Promise.all([serveHomeAssistant(), startFakeHomeAssistant()]);
  const assist = withAssist(server, converse);
  // The simulated loudspeaker takes 1 s for 8000 bytes.
  const sounds: ReadonlyMap<string, Buffer> = new Map([
    ['/api/tts_proxy/t.wav', wav(440, 0.09)],
    ['/api/tts_proxy/short.wav', wav(440, 0.02)],
  ]);
  assist.runStart = (handler) => runStart(handler, { url: '/api/tts_proxy/t.wav', mime_type: 'audio/wav' });
  page.spoil(() => FRONTEND);
  server.answer = (request, response) => {
    const sound = sounds.get(request.path);
    if (sound !== undefined) {
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
      return;
    }
    const { method, body } = request;
    const forward = async (): Promise<void> => {
      const answer = await fetch(`${page.origin}${request.path}`, { method, ...(method !== 'GET' && { body }) });
      response
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
        .end(Buffer.from(await answer.arrayBuffer()));
    };
    forward().catch(() => response.destroy());
  };
  return {
    origin: server.origin,
    page,
    assist,
    server,
    stop: async () => {
      await Promise.all([page.close(), server.stop()]);
    },
  };
}

/** Where the middle of the button is, from the right and from the bottom. */
const MIDDLE = 48;

/** A panel with a display of its own, and a person before it. */
export interface VoiceKiosk {
  readonly agent: AgentProcess;
  readonly home: KioskHome;
  readonly screen: XScreen;
  readonly person: ReturnType<typeof personAt>;
  readonly status: () => Promise<StatusDocument>;
  readonly microphone: () => Promise<Json>;
  readonly save: (patch: Json) => Promise<void>;
  readonly act: (verb: Json) => Promise<void>;
  readonly phaseIs: (phase: VoicePhase) => Promise<unknown>;
  /** Waits until the X server's own picture has the mark of these, and no other. */
  readonly marked: (...of: readonly InUseHolder[]) => Promise<unknown>;
  readonly mark: () => Promise<readonly InUseHolder[]>;
  /** Moves the mouse there, and presses or releases its button. */
  readonly mouse: (...words: readonly string[]) => Promise<void>;
  readonly tapAt: (x: number, y: number) => Promise<void>;
  /** Where the button on the screen is. */
  readonly button: readonly [x: number, y: number];
  /** The run that begins after `count` others; its turn listens. */
  readonly runAfter: (count: number) => Promise<AssistRun>;
  readonly stop: () => Promise<void>;
}

/** Starts one that shows its dashboard; `width` and `height` in pixels. */
export async function startVoiceKiosk(width: number, height: number, home: KioskHome): Promise<VoiceKiosk> {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-voice-screen-'));
  const [screen, eyePort] = await Promise.all([startXScreen(`${width}x${height}`), freePort()]);
  const eyes = fileURLToPath(new URL('../network/browser-eye.mjs', import.meta.url));
  const child = spawn(process.execPath, [eyes, String(eyePort)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const eye = conversation({ printed: () => printed, tell: (line) => void child.stdin.write(`${line}\n`) });
  const person = personAt(() => ({ display: screen.display, eye }));
  const bin = openBrowserIn(folder, eyePort);
  const agent = await startAgent({
    data: join(folder, 'data'),
    args: ['--renderer', 'auto'],
    wrapper: ['env', '-u', 'WAYLAND_DISPLAY', '-u', 'XDG_RUNTIME_DIR'],
    env: { DISPLAY: screen.display, PATH: `${bin}:${process.env['PATH']}` },
  });
  const status = (): Promise<StatusDocument> => statusOf(agent.url);
  const microphone = async (): Promise<Json> =>
    (await (await fetch(`${agent.url}/api/v1/voice/microphone`)).json()) as Json;
  const mouse = async (...words: readonly string[]): Promise<void> => {
    await run('xdotool', words, { env: { ...process.env, DISPLAY: screen.display } });
  };
  const mark = async (): Promise<readonly InUseHolder[]> => markIn(await screen.corner());
  const save = async (patch: Json): Promise<void> => {
    const answer = await post(`${agent.url}/api/v1/config`, patch);
    expect([answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([200, '']);
  };
  await save({ panel_id: 'hall', ha_url: home.origin, ha_token: 'token-of-the-test' });
  await until('the dashboard', async () => {
    const { renderer } = await status();
    return renderer?.rendered === true && renderer.phase === 'showing';
  });
  return {
    agent,
    home,
    screen,
    person,
    status,
    microphone,
    save,
    mark,
    mouse,
    button: [width - MIDDLE, height - MIDDLE],
    tapAt: (x, y) => mouse('mousemove', String(x), String(y), 'click', '1'),
    act: async (verb) => expect((await post(`${agent.url}/api/v1/action`, verb)).status).toBe(202),
    phaseIs: (phase) => until(`the phase ${phase}`, async () => (await microphone())['state'] === phase, 8000),
    marked: (...of) => {
      let last: readonly string[] = [];
      return until(
        () => `the mark of ${of.join(' and ') || 'nothing'}, last ${last.join(' and ')}`,
        async () => (last = await mark()).join() === of.join(),
        8000,
      );
    },
    runAfter: (count) =>
      until('a run of Assist with sound', () => {
        const begun = home.assist.runs[count];
        return begun !== undefined && begun.frames.length > 1 && begun;
      }),
    stop: async () => {
      await agent.kill('SIGTERM');
      child.kill('SIGKILL');
      await screen.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
    },
  };
}
