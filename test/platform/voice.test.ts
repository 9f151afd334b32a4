import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { descendants } from './kit/processes.ts';
import { until } from './kit/until.ts';
import { type BareTurn, bareTurn } from './voice/bare-turn.ts';
import { speak, voices } from './voice/flite.ts';
import { type House, marks, openHouse, sentences } from './voice/house.ts';
import { VoicePanel } from './voice/panel.ts';
import { shareHeard } from './voice/pieces.ts';
import type { Sound } from './voice/wav.ts';

/**
 * Share of an answer from which it was the one that was heard: a player that is held up eight times within two seconds
 * still brings 0.56 of it, and of another sentence in the same voice up to 0.41 are found.
 */
const ALIKE = 0.5;

let house: House;
let panel: VoicePanel;
let bare: BareTurn;

beforeAll(async () => {
  house = await openHouse();
  panel = await VoicePanel.start(house);
});

afterAll(async () => {
  await panel?.stop();
  await house?.stop();
});

const lightIs = (id: string, state: 'on' | 'off'): Promise<unknown> =>
  until(`${id} is ${state}`, () => house.states.get(id)?.state === state);

/** Both lights, set to a state. */
async function lights(state: 'on' | 'off'): Promise<void> {
  for (const id of ['light.ceiling', 'light.lamp']) {
    // oxlint-disable-next-line no-await-in-loop -- two calls, in order
    await house.client.act(`light.turn_${state}`, id);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await lightIs(id, state);
  }
}

const lastHeard = (): string | undefined => house.speech.heard.at(-1)?.text;

/** Milliseconds from the end of what was said to the first sound of the answer, both as heard in the room. */
const pause = ({ said, sounded }: Pick<BareTurn, 'said' | 'sounded'>): number => ((sounded ?? NaN) - said.to) * 10;

/** How much of the newest answer of Home Assistant was heard in the room after `step`. */
function answered(step: number): number {
  const answer = house.speech.spoken.at(-1);
  return answer === undefined ? 0 : house.room.share(answer.sound, step);
}

/** A sound as a player gives it that was held up for these milliseconds, again and again. */
function heldUp({ rate, pcm }: Sound, ms: number): Sound {
  const [silence, every] = [Buffer.alloc((rate / 1000) * ms * 2), (rate * 0.37 * 2) & ~1];
  const parts = Array.from({ length: Math.ceil(pcm.length / every) }, (_, part) => [
    pcm.subarray(part * every, (part + 1) * every),
    silence,
  ]);
  return { rate, pcm: Buffer.concat(parts.flat()) };
}

/** A turn of the bare client. */
async function carry(sentence: string, pipeline: string): Promise<BareTurn> {
  const turn = await bareTurn(house.room, {
    url: house.home.url,
    token: house.token,
    pipeline,
    deviceId: panel.deviceId,
    sentence,
  });
  console.log(`bare client: answer ${pause(turn)} ms after the sentence`, turn.stages);
  return turn;
}

describe('the means of these tests', () => {
  inAll('understand each sentence of each voice', async () => {
    for (const voice of voices)
      for (const sentence of Object.values(sentences)) {
        // oxlint-disable-next-line no-await-in-loop -- one recogniser, one after the other
        const { pcm } = await speak(sentence, voice);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await house.speech.recogniser.hear(pcm), voice).toBe(sentence);
      }
  });

  it('carry a turn of a resident, whose answer is heard in the room', async () => {
    await lights('off');
    bare = await carry(sentences.bedroomOn, house.pipelines.own);
    expect(bare).toMatchObject({ text: sentences.bedroomOn, error: null, continues: false });
    expect(lastHeard()).toBe(sentences.bedroomOn);
    await lightIs('light.lamp', 'on');
    expect(house.speech.spoken.at(-1)?.text).toBe(bare.answer);
    expect(answered(bare.said.to)).toBeGreaterThan(ALIKE);
  });

  it.each(amount([], [sentences.allOff]))('act on the area of a device: %s', async (sentence) => {
    await lights('on');
    expect(await carry(sentence, house.pipelines.own)).toMatchObject({ text: sentence, error: null });
    await lightIs('light.ceiling', 'off');
    expect(house.states.get('light.lamp')?.state).toBe('on');
  });

  it.each(amount([], [sentences.marked]))('ask back: %s', async (sentence) => {
    expect(await carry(sentence, house.pipelines.asking)).toMatchObject({ text: sentence, continues: true });
  });

  it('tell another sentence from the answer, and know it from a player that is held up', async () => {
    // In `bin/test all` the one in the middle was said in the room by now.
    const unsaid = amount([sentences.marked], []);
    for (const text of ['Good morning, it is cloudy outside', ...unsaid, 'They are both awake.']) {
      const other = await speak(text, 'slt');
      expect(house.room.share(other, bare.said.to), text).toBeLessThan(ALIKE);
    }
    const sound = house.speech.spoken.at(-1)?.sound ?? (await speak(bare.answer, 'slt'));
    expect(shareHeard(sound, sound)).toBe(1);
    for (const ms of [15, 120, 500]) expect(shareHeard(sound, heldUp(sound, ms)), `${ms} ms`).toBeGreaterThan(ALIKE);
  });
});

describe('voice at a panel', () => {
  it('stays off until a person at the panel allows the microphone', async () => {
    await panel.agent.configure({ ha_expose_voice_enabled: true, ha_expose_voice_state: true });
    await until('its switch is there', () => house.states.get(panel.toggle)?.state === 'off');
    await house.client.act('switch.turn_on', panel.toggle);
    await until('it is on', () => house.states.get(panel.toggle)?.state === 'on');
    await until('there is no place to ask', async () => (await panel.microphone()).permission === 'no-place');
    expect(house.states.get(panel.phase)?.state).toBe('off');
    expect((await panel.agent.post('/api/v1/voice/test', {})).code).toBe(503);
    await panel.allow();
    await panel.ready();
    await until('its phase is idle', () => house.states.get(panel.phase)?.state === 'idle');
  });

  it('understands a sentence word for word, and shows its phases', async () => {
    await lights('on');
    const since = performance.now();
    const { last } = await panel.turn(sentences.kitchenOff);
    expect(lastHeard()).toBe(sentences.kitchenOff);
    expect(last).toMatchObject({ outcome: 'done', code: null });
    await lightIs('light.ceiling', 'off');
    await until('the phase is idle again', () => panel.phasesSince(since).at(-1) === 'idle');
    expect(panel.phasesSince(since)).toEqual(expect.arrayContaining(['listening', 'responding', 'idle']));
  });

  it('understands it also if it is spoken while the chime sounds', async () => {
    await lights('on');
    const { sinceChime } = await panel.turn(sentences.kitchenOff, 'during-chime');
    console.log(`the sentence began ${sinceChime} ms after the chime`);
    expect(lastHeard()).toBe(sentences.kitchenOff);
    await lightIs('light.ceiling', 'off');
  });

  it('acts on the area of its device alone', async () => {
    await lights('on');
    await panel.turn(sentences.allOff);
    expect(lastHeard()).toBe(sentences.allOff);
    await lightIs('light.ceiling', 'off');
    expect(house.states.get('light.lamp')?.state).toBe('on');
  });

  it('speaks the answer in the room', async () => {
    await lights('on');
    const turn = await panel.turn(sentences.bedroomOff);
    console.log(`panel: answer ${pause(turn)} ms after the sentence`, turn.last.times);
    console.log(`ratio to the bare client: ${(pause(turn) / pause(bare)).toFixed(2)}`);
    await lightIs('light.lamp', 'off');
    expect(answered(turn.said.to)).toBeGreaterThan(ALIKE);
    expect(turn.last.times['sounded']).toBeGreaterThan(turn.last.times['speech_ended'] ?? Infinity);
  });

  it('listens again after a question, by the pipeline of the settings', async () => {
    await panel.agent.configure({ voice_pipelines: JSON.stringify({ press: house.pipelines.asking }) });
    const turn = await panel.conversation(sentences.marked, sentences.yes);
    expect(house.speech.heard.slice(-2).map(({ text }) => text)).toEqual([sentences.marked, sentences.yes]);
    expect(turn.last).toMatchObject({ outcome: 'done', code: null });
    expect(answered(turn.said.to)).toBeGreaterThan(ALIKE);
  });

  it('keeps no word of it', async () => {
    expect(house.speech.heard.some(({ text }) => text.includes(marks.heard))).toBe(true);
    expect(house.speech.spoken.some(({ text }) => text.includes(marks.answered))).toBe(true);
    // What is looked through has what the panel is, and what happened.
    const discovery = 'homeassistant/device/sconce_kitchen/config';
    expect(await panel.holding(['kitchen panel'])).toEqual(expect.arrayContaining(['/api/v1/config', discovery]));
    expect(await panel.holding(['voice.trigger'])).toContain('inspector');
    expect(await panel.holding([...Object.values(marks), 'tts_proxy'])).toEqual([]);
  });

  it('leaves no error in the log of Home Assistant', () => {
    expect(house.home.log.split('\n').filter((line) => line.includes(' ERROR '))).toEqual([]);
  });

  it('is off at once, with nothing that listens', async () => {
    await house.client.act('switch.turn_off', panel.toggle);
    await until('its phase is off', () => house.states.get(panel.phase)?.state === 'off');
    await until('nothing records', () => descendants(panel.agent.pid, /parec|arecord/).length === 0, 2000);
    expect((await panel.agent.post('/api/v1/voice/test', {})).code).toBe(409);
  });
});
