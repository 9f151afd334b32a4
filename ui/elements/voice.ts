import type { MicrophoneDocument, PipelinesDocument } from '#machines/voice/document.ts';
import { isBusy, mayKnowPipelines, verdictOf } from '../parts/voice-facts.ts';
import { gainWords } from '../parts/voice-microphone.tsx';
import { VoiceView } from '../parts/voice-view.tsx';
import { closest } from './closest.ts';
import { hold, letGoOf, redraw } from './morph.ts';
import { ask } from './send.ts';
import { latestStatus, onLink, onStatus } from './stream.ts';
import { changeVoice, saveVoice } from './voice-change.ts';

/** How often the microphone is read, in milliseconds: while a turn or a check runs, and otherwise. */
const BUSY_MS = 500;
const IDLE_MS = 3_000;
/** How long the gain rests before it is saved, in milliseconds. */
const GAIN_MS = 400;

/** `voice_pipelines` with another pipeline for a press; what begins turns in other ways stays. */
function pipelinesWith(text: unknown, press: string): string {
  let before: unknown = null;
  try {
    before = JSON.parse(String(text));
  } catch {
    // Whatever it was, it named no pipeline.
  }
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before);
  const others = Object.entries(isObject ? (before as object) : {}).filter(([begins]) => begins !== 'press');
  return JSON.stringify(Object.fromEntries(press === '' ? others : [...others, ['press', press]]));
}

/** The page of voice: what it does now, the microphone, the pipelines and a turn to try. */
export class SconceVoice extends HTMLElement {
  #microphone: MicrophoneDocument | undefined;
  #pipelines: PipelinesDocument | null = null;
  #timer: number | undefined;
  #saving: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = closest(event, 'button[data-voice]');
      if (button !== null) void this.#then(changeVoice(button));
    });
    this.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'range') this.#slide(target);
    });
    this.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) void this.#then(saveVoice(target, { voice_source: target.value }));
      else if (target instanceof HTMLInputElement && target.type === 'radio') void this.#then(this.#choose(target));
    });
    document.addEventListener('visibilitychange', () => void this.#read());
    onLink(() => void this.#read());
    onStatus(() => void this.#read(), ['voice', 'capabilities']);
    void this.#read();
  }

  #slide(slider: HTMLInputElement): void {
    const gain = Number(slider.value);
    hold(slider);
    slider.setAttribute('aria-valuetext', gainWords(gain));
    const output = this.querySelector(`[data-of="${slider.id}"]`);
    if (output !== null) output.textContent = gainWords(gain);
    window.clearTimeout(this.#saving);
    this.#saving = window.setTimeout(() => {
      void this.#then(
        saveVoice(slider, { voice_mic_gain_db: gain }).then((sent) => {
          if (!sent.ok) letGoOf(slider);
        }),
      );
    }, GAIN_MS);
  }

  /** The other ways to begin a turn are read first, so that they keep their pipelines. */
  async #choose(radio: HTMLInputElement): Promise<void> {
    const config = await ask('/api/v1/config');
    // Checked below; the route's schema has it as an object.
    const settings = config.ok ? (config.body['settings'] as Readonly<Record<string, unknown>> | undefined) : {};
    await saveVoice(radio, { voice_pipelines: pipelinesWith(settings?.['voice_pipelines'], radio.value) });
  }

  async #then(done: Promise<unknown>): Promise<void> {
    await done;
    await this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    if (!document.hidden) {
      const microphone = await ask('/api/v1/voice/microphone');
      // The routes' schemas guarantee these types.
      const doc = microphone.ok ? (microphone.body as unknown as MicrophoneDocument) : this.#microphone;
      const isListed = doc !== undefined && mayKnowPipelines(doc);
      const pipelines = isListed ? await ask('/api/v1/voice/pipelines') : null;
      if (turn !== this.#turn) return;
      this.#microphone = doc;
      if (pipelines === null || (!pipelines.ok && pipelines.status === 503)) this.#pipelines = null;
      else if (pipelines.ok) this.#pipelines = pipelines.body as unknown as PipelinesDocument;
      this.#draw();
    }
    const isBusyNow = this.#microphone !== undefined && isBusy(this.#microphone);
    this.#timer = window.setTimeout(() => void this.#read(), isBusyNow ? BUSY_MS : IDLE_MS);
  }

  #draw(): void {
    const microphone = this.#microphone;
    if (microphone === undefined) return;
    const status = latestStatus();
    const verdict = status === undefined ? null : verdictOf(status);
    redraw(this, String(VoiceView({ microphone, pipelines: this.#pipelines, verdict, now: Date.now() })));
  }
}
