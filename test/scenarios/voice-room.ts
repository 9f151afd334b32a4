import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { answerMicrophone } from '#bin/microphone.ts';
import type { StatusDocument } from '#machines/status.ts';
import { type LastingPulseServer, pulseInstalled, pulseServer } from '#test/drivers/volume/pulse-server.ts';
import { type AssistHouse, assistHouse, say } from '#test/fakes/assist-house.ts';
import type { AssistRun } from '#test/fakes/assist-server.ts';
import { selectProfile } from '#test/platform/kit/profile.ts';
import { voicePanel } from '#test/platform/voice/panel-profile.ts';

import { type AgentProcess, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

const PANEL = 'kitchen';

/** What a turn with real sound needs, beside a player. */
export const soundMissing =
  (await pulseInstalled()) && ['parec', 'paplay', 'mpv'].every((tool) => existsSync(join('/usr/bin', tool)))
    ? null
    : 'needs the packages pulseaudio, pulseaudio-utils and mpv';

export const voiceStages = ['opening', 'listening', 'processing', 'responding'] as const;
export type VoiceStage = (typeof voiceStages)[number];

type Voice = NonNullable<StatusDocument['voice']>;

/** Programs that record, play or watch for a turn; not those that only say that they are installed. */
const programOf = new Map(
  [
    'parec ',
    'arecord ',
    'paplay ',
    'aplay ',
    'mpv --no-config --no-video ',
    'ffplay -nodisp ',
    'gst-launch-1\\.0 ',
    'pactl subscribe ',
  ].map((command) => [command.trim(), new RegExp(`^(?:\\S*/)?${command}`, 'u')] as const),
);
/** The player of answers. */
export const PLAYER = 'mpv --no-config --no-video';

/** The command line of a process; "" if it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The processes that this one has started, and theirs. A look at all of the machine would take longer than a turn. */
function startedBy(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .flatMap((child) => (child === '' ? [] : [Number(child), ...startedBy(Number(child))]));
  } catch {
    // It has just ended.
    return [];
  }
}

/** A built agent with a loudspeaker and a microphone of a sound server, music, and a small Home Assistant. */
export class VoiceRoom {
  readonly house: AssistHouse;
  readonly server: LastingPulseServer;
  #agent: AgentProcess | null = null;
  readonly #code: string;
  readonly #start: () => Promise<AgentProcess>;
  #music: ChildProcess | null = null;

  private constructor(
    house: AssistHouse,
    server: LastingPulseServer,
    { code, start }: { readonly code: string; readonly start: () => Promise<AgentProcess> },
  ) {
    this.house = house;
    this.server = server;
    this.#code = code;
    this.#start = start;
  }

  /** Opens the room: signed in, with voice off; `more` is added to the agent's environment, `args` to its arguments. */
  static async open(more: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<VoiceRoom> {
    const [house, server, data] = [await assistHouse(PANEL), await pulseServer(), ownFolder()];
    const [token, code] = [join(data, 'given'), join(ownFolder(), 'code')];
    writeFileSync(token, 'a-token', { mode: 0o600 });
    mkdirSync(code);
    selectProfile(data, voicePanel);
    const env = Object.fromEntries(
      Object.entries(server.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const start = (): Promise<AgentProcess> =>
      startAgent({
        data,
        profile: null,
        args: ['--renderer', 'none', '--ha-url', house.home.origin, '--ha-token-file', token, ...args],
        env: { ...env, ...more, SCONCE_KEEP_CODE: code, SCONCE_VERIFY_ANSWERS: '1' },
      });
    const room = new VoiceRoom(house, server, { code, start });
    await room.furnish();
    await room.startAgain();
    await room.save({ panel_id: PANEL });
    return room;
  }

  get agent(): AgentProcess {
    if (this.#agent === null) throw new Error('the agent was not started');
    return this.#agent;
  }

  /** Names of the chunks that the agent has loaded; complete once it has ended. */
  loaded(): readonly string[] {
    return readdirSync(this.#code);
  }

  /** Loads what the sound server lost, and plays music. */
  async furnish(): Promise<void> {
    const { pactl, env } = this.server;
    await pactl('load-module', 'module-null-sink', 'sink_name=room');
    this.#music?.kill('SIGKILL');
    // With the server's own choice of latency the loudspeaker, and so the microphone, goes by steps of 2 s.
    this.#music = spawn('paplay', ['--raw', '--latency-msec=50', '--client-name=music', '/dev/zero'], {
      env: { ...env },
      stdio: 'ignore',
    });
    await this.plug();
    await until('music', async () => (await this.musicVolume()) === 100);
  }

  /** Plugs the microphone in. */
  async plug(): Promise<void> {
    const { pactl } = this.server;
    await pactl('load-module', 'module-remap-source', 'source_name=mic', 'master=room.monitor');
    await pactl('set-default-source', 'mic');
  }

  async unplug(): Promise<void> {
    const { pactl } = this.server;
    const row = (await pactl('list', 'short', 'modules')).split('\n').find((line) => line.includes('source_name=mic'));
    if (row !== undefined) await pactl('unload-module', row.split('\t')[0] ?? '');
  }

  /** Volume of the music in percent; null while it does not play. */
  async musicVolume(): Promise<number | null> {
    const listed = (await this.server.pactl('list', 'sink-inputs').catch(() => '')).split('Sink Input #');
    const music = listed.find((text) => text.includes('application.name = "music"'));
    const percent = /(\d+)%/u.exec(music ?? '')?.[1];
    return percent === undefined ? null : Number(percent);
  }

  /** How many recordings of the agent the sound server has. */
  async recordings(): Promise<number> {
    const listed = await this.server.pactl('list', 'source-outputs').catch(() => '');
    return listed.split('application.name = "Sconce"').length - 1;
  }

  /** The programs that the agent runs for sound, by name. */
  programs(): ReadonlyMap<string, readonly number[]> {
    const found = startedBy(this.agent.child.pid ?? -1).map((pid) => [pid, commandOf(pid)] as const);
    return new Map(
      [...programOf].map(([name, pattern]) => [
        name,
        found.flatMap(([pid, command]) => (pattern.test(command) ? [pid] : [])),
      ]),
    );
  }

  /** The names of programs of which the agent runs more than without a turn. */
  left(): readonly string[] {
    // The volume has a watch at the sound server as long as there is one.
    const more = [...this.programs()].filter(([name, pids]) => pids.length > (name === 'pactl subscribe' ? 1 : 0));
    return more.map(([name]) => name);
  }

  /** Those of them that record. */
  listening(): readonly string[] {
    return this.left().filter((name) => name === 'parec' || name === 'arecord' || name === 'pactl subscribe');
  }

  status(): Promise<StatusDocument> {
    return statusOf(this.agent.url);
  }

  async voice(): Promise<Voice> {
    const { voice } = await this.status();
    if (voice === null) throw new Error('there is no voice');
    return voice;
  }

  async save(values: Readonly<Record<string, unknown>>): Promise<void> {
    const saved = await post(`${this.agent.url}/api/v1/config`, values);
    if (saved.status !== 200) throw new Error(`the settings were refused: ${saved.status} ${await saved.text()}`);
  }

  trigger(): Promise<Response> {
    return post(`${this.agent.url}/api/v1/voice/test`, {});
  }

  /** Allows the microphone as a person on this machine does. */
  async allow(): Promise<void> {
    const folder = this.agent.data;
    const { status, lines } = await answerMicrophone('allow', { folder, command: 'sconce microphone', named: '' });
    if (status !== 0) throw new Error(lines.join('\n'));
  }

  /** Turns voice on, and waits until a turn can begin. */
  async turnOn(): Promise<void> {
    await this.save({ voice_enabled: true });
    await this.ready();
  }

  /** Waits until a turn can begin; looks at the microphone as a person does who opens the status again. */
  async ready(): Promise<void> {
    await until(
      'a turn can begin',
      async () => {
        const { state, refusal } = await this.voice();
        if (refusal === null && (state === 'idle' || state === 'error')) return true;
        await (await fetch(`${this.agent.url}/api/v1/status?refresh=1`)).text();
        return false;
      },
      15_000,
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; ${JSON.stringify(await this.voice())}`);
    });
  }

  /** The run of the turn that was just begun. */
  run(after: number): Promise<AssistRun> {
    return until('the run', () => this.house.assist.runs[after], 5000);
  }

  /** Understands what was said. */
  async understand(run: AssistRun): Promise<void> {
    say.understood(run);
    await until('it to be understood', async () => (await this.voice()).state === 'processing', 5000);
  }

  /** Answers by a sound of so many milliseconds. */
  answer(run: AssistRun, ms: number): void {
    say.answer(run, this.house.sound(ms));
  }

  /** Starts an agent again after a kill, on the same data. */
  async startAgain(): Promise<void> {
    this.#agent = await this.#start();
  }

  async close(): Promise<void> {
    await this.#agent?.kill('SIGTERM');
    this.#music?.kill('SIGKILL');
    await this.house.home.stop();
    await this.server.end();
  }
}
