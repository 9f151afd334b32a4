import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { note, noteOf } from './note.ts';
import { send, type Sent } from './send.ts';

/** How long a try lasts, in seconds. */
const trySeconds = 5;

/** Attempts to undo before the page gives up, a second apart. */
const takeBackAttempts = 5;

interface Action {
  readonly a: string;
  readonly value?: number;
}

/** What a try does and how it is undone; `before` is the value to restore (0 for a dark screen). */
function planTry(kind: string, before: number): { readonly go: Action; readonly back: Action } {
  if (kind === 'screen') {
    const on: Action = { a: 'screen_on' };
    const off: Action = { a: 'screen_off' };
    return before === 1 ? { go: off, back: on } : { go: on, back: off };
  }
  if (kind === 'volume')
    return {
      go: { a: 'volume', value: before >= 50 ? before - 30 : before + 20 },
      back: { a: 'volume', value: before },
    };
  const go: Action = { a: 'brightness', value: before >= 128 ? 26 : 255 };
  return { go, back: before === 0 ? { a: 'screen_off' } : { a: 'brightness', value: before } };
}

/** "Try it": changes something for a few seconds and then undoes it, also when the page is left. */
export class SconceTry extends HTMLElement {
  #back: Action | undefined;
  #timer: number | undefined;
  #left = 0;

  connectedCallback(): void {
    this.querySelector('button')?.addEventListener(
      'click',
      () => void (this.#back === undefined ? this.#start() : this.#stop()),
    );
    // Locking a phone only hides the page, and its timers may stop.
    for (const leaving of ['pagehide', 'visibilitychange'])
      window.addEventListener(leaving, () => {
        if (this.#back === undefined) return;
        void send('/api/v1/action', this.#back, { keepalive: true });
        this.#end('');
      });
  }

  async #start(): Promise<void> {
    const plan = planTry(this.getAttribute('kind') ?? '', Number(this.getAttribute('value')));
    this.#back = plan.back;
    // Kept alive when the page is left: if aborted, it would count as refused here although the panel carried it out.
    const sent = await send('/api/v1/action', plan.go, { keepalive: true });
    if (!sent.ok) {
      // Without an answer it may have been carried out anyway.
      if (sent.status === 0) void send('/api/v1/action', plan.back, { keepalive: true });
      this.#end('', t('trying.failed', { reason: sent.reason }));
      return;
    }
    this.#left = trySeconds;
    this.#show();
    this.#timer = window.setInterval(() => {
      this.#left -= 1;
      if (this.#left <= 0) void this.#stop();
      else this.#show();
    }, 1000);
  }

  async #stop(): Promise<void> {
    window.clearInterval(this.#timer);
    const back = this.#back;
    if (back === undefined) return;
    let sent: Sent = await send('/api/v1/action', back);
    for (let attempt = 1; !sent.ok && attempt < takeBackAttempts; attempt += 1) {
      await new Promise((resolve) => window.setTimeout(resolve, 1000));
      sent = await send('/api/v1/action', back);
    }
    if (sent.ok) this.#end(t('trying.done'));
    else this.#end('', t('trying.failed', { reason: sent.reason }));
  }

  #show(): void {
    this.classList.add('is-trying');
    this.#say(t('trying.stop', { count: this.#left }), t('trying.running', { count: this.#left }));
  }

  #end(words: string, refusal = ''): void {
    window.clearInterval(this.#timer);
    this.#back = undefined;
    this.classList.remove('is-trying');
    this.#say(t('try.screen'), words);
    note(noteOf(this), refusal, true);
  }

  /** The button shows the countdown; the line announces it to screen readers, so the row keeps its height. */
  #say(onButton: string, words: string): void {
    const [button, line] = Array.from(this.children);
    if (button) button.textContent = onButton;
    announceIn(line ?? null, words);
  }
}
