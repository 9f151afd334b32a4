import type { ProfilePreview } from '#machines/profile-catalog/requests.ts';
import type { Findings } from '../parts/profile-findings.tsx';
import { todosIn } from '../parts/profile-todos.ts';
import { sendYaml } from './send.ts';

/** Pause in typing before the text is checked, in milliseconds. */
const calmMs = 400;

/** Retry delay after a check that failed to reach the panel, in milliseconds. */
const retryMs = 2_000;

/** Makes the panel check the text whenever it changes; only the answer for the newest text counts. */
export class ProfileCheck {
  readonly #show: (findings: Findings) => void;
  #text = '';
  #turn = 0;
  #timer: number | undefined;
  #last: ProfilePreview | null = null;
  /** Called with the answer for the newest text. */
  #fresh: ProfilePreview | null = null;

  constructor(show: (findings: Findings) => void) {
    this.#show = show;
  }

  /** The answer for the current text; null until it arrives. */
  get answer(): ProfilePreview | null {
    return this.#fresh;
  }

  /** Checks `text` once typing pauses. */
  take(text: string): void {
    this.#text = text;
    this.#turn += 1;
    this.#fresh = null;
    this.#show({ phase: 'checking', preview: this.#last, todos: todosIn(text) });
    this.#later(calmMs);
  }

  /** Checks the text now; resolves to its answer, or null if none came. */
  async now(): Promise<ProfilePreview | null> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const sent = await sendYaml('/api/v1/profiles/preview', this.#text);
    // The text changed meanwhile, or the editor was closed.
    if (turn !== this.#turn) return null;
    if (!sent.ok) {
      this.#show({ phase: 'unchecked', preview: this.#last, reason: sent.reason, todos: todosIn(this.#text) });
      this.#later(retryMs);
      return null;
    }
    // The route's schema guarantees this type.
    const preview = sent.body as unknown as ProfilePreview;
    this.#fresh = preview;
    this.#last = preview;
    this.#show({ phase: 'checked', preview, todos: todosIn(this.#text) });
    return preview;
  }

  /** Forgets the text. */
  stop(): void {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    this.#last = null;
    this.#fresh = null;
  }

  #later(ms: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.now(), ms);
  }
}
