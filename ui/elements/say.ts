import { SayForm } from '../parts/say-form.tsx';
import { t } from '../strings/t.ts';
import { note } from './note.ts';
import { read, send, type Sent, sendBy, whyNot } from './send.ts';

const path = '/api/v1/simulator/say';
/** Largest WAV file, in bytes. */
const LARGEST = 1_048_576;

/** Says a sentence or a recording to the simulated panel. */
export class SconceSay extends HTMLElement {
  connectedCallback(): void {
    this.innerHTML = String(SayForm());
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLFormElement) void this.#say(event.target);
    });
  }

  async #say(form: HTMLFormElement): Promise<void> {
    const line = form.querySelector('.said');
    const given = new FormData(form);
    const file = given.get('file');
    const typed = given.get('text');
    const text = typeof typed === 'string' ? typed.trim() : '';
    if (file instanceof File && file.size > 0) {
      if (file.size > LARGEST) return note(line, t('sim.say_large'), true);
      this.#done(line, await this.#play(file));
      // Chosen once, said once: what is typed next is not kept waiting behind it.
      form.querySelectorAll<HTMLInputElement>('input[type="file"]').forEach((input) => (input.value = ''));
      return undefined;
    }
    if (text === '') return note(line, t('sim.say_nothing'), true);
    this.#done(line, await send(path, { text }));
    return undefined;
  }

  #play(file: File): Promise<Sent> {
    const sends = (): Promise<Response> =>
      fetch(path, { method: 'POST', headers: { 'Content-Type': 'audio/wav' }, body: file });
    return sendBy(`${path} ${file.name}`, sends, { beside: undefined, take: read });
  }

  #done(line: Element | null, sent: Sent): void {
    note(line, sent.ok ? t('sim.say_done') : whyNot(sent), !sent.ok);
  }
}
