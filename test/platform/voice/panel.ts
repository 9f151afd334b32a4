import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '../kit/agent.ts';
import { allowMicrophone } from '../kit/allow-microphone.ts';
import { observe, type SeenMessage } from '../kit/broker.ts';
import { join as joinBroker, panelCalled } from '../kit/panel.ts';
import { until } from '../kit/until.ts';
import type { House } from './house.ts';
import { voicePanel } from './panel-profile.ts';
import type { Span } from './room.ts';

/** Parts of `GET /api/v1/voice/microphone` that the tests look at. */
interface Microphone {
  readonly state: string;
  readonly permission: string;
  readonly refusal: string | null;
  readonly health: string;
  /** -1 while it is closed. */
  readonly level: number;
  readonly last: {
    readonly turn: number;
    readonly outcome: string;
    readonly code: string | null;
    readonly times: Readonly<Record<string, number | null>>;
  } | null;
}

/** How soon a turn can begin once voice is on, or after another turn. */
const READY_WITHIN_MS = 8000;

/** How one turn went. */
export interface Turn {
  /** What the person said, as heard in the room. */
  readonly said: Span;
  /** Milliseconds from the first sound of the chime to the person's first sound. */
  readonly sinceChime: number;
  /** First sound of the answer; undefined for none. */
  readonly sounded: number | undefined;
  readonly last: NonNullable<Microphone['last']>;
}

/** What is in a file; "" if it has vanished meanwhile. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const place = panelCalled('kitchen', 'Kitchen panel');

/** A panel with the loudspeaker and the microphone of a room, in the kitchen of a house. */
export class VoicePanel {
  readonly agent: Agent;
  readonly toggle = `switch.${place.id}_voice_assistant`;
  readonly phase = `sensor.${place.id}_voice_state`;
  /** Id of its device in Home Assistant. */
  readonly deviceId: string;
  readonly #house: House;
  readonly #messages: readonly SeenMessage[];
  readonly #inspected: string[] = [];
  readonly #watching = new AbortController();
  readonly #leave: () => void;

  private constructor(
    agent: Agent,
    house: House,
    deviceId: string,
    { seen, client }: Awaited<ReturnType<typeof observe>>,
  ) {
    this.agent = agent;
    this.deviceId = deviceId;
    this.#house = house;
    this.#messages = seen;
    this.#leave = () => void client.end(true);
    void this.#inspect().catch(() => undefined);
  }

  /** Starts it, signed in as a resident, with voice off. */
  static async start(house: House): Promise<VoicePanel> {
    const agent = await Agent.start({
      profile: voicePanel,
      args: ['--renderer', 'none', '--inspect'],
      env: { ...house.room.server.env, PULSE_SERVER: undefined, DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
    });
    try {
      const observer = await observe(house.broker.port);
      await joinBroker(agent, place, house.broker.port);
      await agent.configure({ ha_url: house.home.url, ha_token: house.token });
      return new VoicePanel(agent, house, await house.placeInKitchen(place.id), observer);
    } catch (error) {
      await agent.stop();
      throw error;
    }
  }

  async #inspect(): Promise<void> {
    const answer = await fetch(`${this.agent.origin}/api/v1/dev/stream`, { signal: this.#watching.signal });
    for await (const chunk of answer.body ?? []) this.#inspected.push(Buffer.from(chunk).toString());
  }

  /** What it says of its microphone, and of the last turn. */
  async microphone(): Promise<Microphone> {
    // The routes' own tests hold the shape; here it is taken at its word.
    return JSON.parse(await this.agent.text('/api/v1/voice/microphone')) as Microphone;
  }

  /** Allows the microphone as a person at a panel without a screen does. */
  allow(): Promise<void> {
    return allowMicrophone(this.agent);
  }

  /** Waits until a turn can begin. */
  ready(): Promise<Microphone> {
    return until(
      'a turn can begin',
      async () => {
        const now = await this.microphone();
        return now.state === 'idle' && now.refusal === null && now;
      },
      READY_WITHIN_MS,
    );
  }

  /** Phases as Home Assistant was sent them since `from` (clock of `performance.now()`). */
  phasesSince(from: number): readonly string[] {
    const topic = `sconce/${place.id}/voice_state/state`;
    return this.#messages.flatMap((seen) => (seen.topic === topic && seen.at >= from ? [seen.payload] : []));
  }

  /** Waits for the chime of a turn that begins, and with `over` for its end; returns when it began. */
  async #chime(from: number, over: boolean): Promise<number> {
    const { room } = this.#house;
    const began = await until('the chime', () => room.soundSince(from));
    if (over) await until('the chime is over', () => room.isQuiet(200));
    return began;
  }

  /** Speaks while it listens, and waits for the end of the turn; `during` speaks as soon as the chime is heard. */
  async #speak(sentence: string, from: number, during: boolean): Promise<Pick<Turn, 'said' | 'sinceChime'>> {
    const chime = await this.#chime(from, !during);
    // What is said under the chime is not sent. Of this voice the recogniser can miss the first 250 ms, of others 100.
    const said = await this.#house.room.say(sentence, during ? 'rms' : 'slt');
    return { said, sinceChime: (said.from - chime) * 10 };
  }

  async #ended(after: number): Promise<NonNullable<Microphone['last']>> {
    return until('the turn is over', async () => {
      const { state, last } = await this.microphone();
      return (state === 'idle' || state === 'error') && last !== null && last.turn > after && last;
    });
  }

  async #begin(): Promise<{ readonly from: number; readonly after: number }> {
    const { room } = this.#house;
    const { last } = await this.ready();
    await until('it is quiet', () => room.isQuiet(300));
    const from = room.now;
    const { code, text } = await this.agent.post('/api/v1/voice/test', {});
    if (code !== 202) throw new Error(`the turn was refused: ${code} ${text}`);
    return { from, after: last?.turn ?? 0 };
  }

  /** One turn: a person asks for it, speaks after the chime or during it, and gets an answer. */
  async turn(sentence: string, when: 'after-chime' | 'during-chime' = 'after-chime'): Promise<Turn> {
    const { from, after } = await this.#begin();
    const spoken = await this.#speak(sentence, from, when === 'during-chime');
    const last = await this.#ended(after);
    return { ...spoken, last, sounded: this.#house.room.soundSince(spoken.said.to + 20) };
  }

  /** A turn whose answer is a question, and the turn that answers it, which begins by itself. */
  async conversation(sentence: string, reply: string): Promise<Turn> {
    const { room } = this.#house;
    const { from, after } = await this.#begin();
    const { said } = await this.#speak(sentence, from, false);
    await until('the question', () => room.soundSince(said.to + 20));
    await until('it listens again', async () => (await this.microphone()).state === 'listening' && room.isQuiet(200));
    const replied = await room.say(reply);
    const last = await this.#ended(after + 1);
    return { said: replied, sinceChime: 0, last, sounded: room.soundSince(replied.to + 20) };
  }

  /** Where one of the words is found in what the panel writes, answers, prints or publishes. */
  async holding(words: readonly string[]): Promise<readonly string[]> {
    const holds = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word));
    const files = readdirSync(this.agent.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const paths = ['/', '/voice', '/logs', '/history', '/configure'].concat(
      ['status', 'diag', 'logs', 'history', 'support', 'config', 'sensors', 'voice/microphone', 'voice/pipelines'].map(
        (name) => `/api/v1/${name}`,
      ),
    );
    const answered = await Promise.all(paths.map(async (path) => [path, await this.agent.text(path)] as const));
    const all: readonly (readonly [string, string])[] = [
      ...files.map((file) => [file, contentOf(file)] as const),
      ...answered,
      ['output', this.agent.output],
      ['inspector', this.#inspected.join('')],
      ...this.#messages.map(({ topic, payload }) => [topic, payload] as const),
    ];
    return all.flatMap(([where, text]) => (holds(text) ? [where] : []));
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.#watching.abort();
    this.#leave();
    await this.agent.stop();
  }
}
