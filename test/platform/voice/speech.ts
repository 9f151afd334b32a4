import { speak } from './flite.ts';
import { Recogniser } from './recogniser.ts';
import { wyomingServer, type WyomingServer } from './wyoming.ts';
import type { Sound } from './wav.ts';

const attribution = { name: 'CMU', url: 'https://example.invalid' };
const installed = { attribution, installed: true, description: null, version: null };

/** What one recognition was given and made of it. */
interface Heard {
  readonly text: string;
  /** s16le mono samples at 16 kHz. */
  readonly pcm: Buffer;
}
/** What one answer was, and its sound. */
interface Spoken {
  readonly text: string;
  readonly sound: Sound;
}

/** The speech servers of a Home Assistant, and what went through them. */
export interface Speech {
  readonly recogniser: Recogniser;
  readonly toText: WyomingServer;
  readonly toSpeech: WyomingServer;
  /** In the order in which they were recognised. */
  readonly heard: readonly Heard[];
  readonly spoken: readonly Spoken[];
  readonly stop: () => Promise<void>;
}

/** Bytes of sound in one event. */
const BLOCK = 8192;

/** Starts a server that recognises these sentences, and one that speaks. */
export async function startSpeech(sentences: readonly string[]): Promise<Speech> {
  const [heard, spoken]: [Heard[], Spoken[]] = [[], []];
  const recogniser = await Recogniser.start(sentences);
  const english = { ...installed, name: 'english', languages: ['en'] };
  const toText = await wyomingServer({ asr: [{ ...installed, name: 'sphinx', models: [english] }] }, (send) => {
    let blocks: Buffer[] = [];
    return ({ type, payload }) => {
      if (type === 'audio-start') blocks = [];
      if (type === 'audio-chunk') blocks.push(payload);
      if (type !== 'audio-stop') return;
      const pcm = Buffer.concat(blocks);
      void recogniser.hear(pcm).then((text) => {
        heard.push({ text, pcm });
        send('transcript', { text });
      });
    };
  });
  const voice = { ...english, name: 'slt' };
  const toSpeech = await wyomingServer({ tts: [{ ...installed, name: 'flite', voices: [voice] }] }, (send) => {
    const say = async (text: string): Promise<void> => {
      const sound = await speak(text, 'slt');
      spoken.push({ text, sound });
      const format = { rate: sound.rate, width: 2, channels: 1 };
      send('audio-start', format);
      for (let at = 0; at < sound.pcm.length; at += BLOCK)
        send('audio-chunk', format, sound.pcm.subarray(at, at + BLOCK));
      send('audio-stop');
    };
    return ({ type, data }) => {
      if (type === 'synthesize') void say(String(data['text']));
    };
  });
  return {
    recogniser,
    toText,
    toSpeech,
    heard,
    spoken,
    stop: async () => {
      await Promise.all([toText.stop(), toSpeech.stop(), recogniser.stop()]);
    },
  };
}
