import type { ProfilePreview } from '#machines/profile-catalog/requests.ts';
import type { Findings } from '../parts/profile-findings.tsx';
import { todosIn } from '../parts/profile-todos.ts';
import { sendYaml } from './send.ts';

/** How long somebody must have stopped writing before the text is checked, in milliseconds. */
const calmMs = 400;

/** How long after a check that could not be asked it is asked again, in milliseconds. */
const retryMs = 2_000;

/** Has the panel check a text whenever it has changed; only the answer to the newest text counts. */
export class ProfileCheck {
  readonly #show: (findings: Findings) => void;
  #text = '';
  #turn = 0;
  #timer: number | undefined;
  #last: ProfilePreview | null = null;
  /** The newest text was answered for. */
  #fresh: ProfilePreview | null = null;

  constructor(show: (findings: Findings) => void) {
    this.#show = show;
  }

  /** The answer for the text as it is now; null until there is one. */
  get answer(): ProfilePreview | null {
    return this.#fresh;
  }

  /** Checks `text` once nothing changes any more. */
  take(text: string): void {
    this.#text = text;
    this.#turn += 1;
    this.#fresh = null;
    this.#show({ phase: 'checking', preview: this.#last, todos: todosIn(text) });
    this.#later(calmMs);
  }

  /** Checks the text now; resolves to the answer for it, or null where none came. */
  async now(): Promise<ProfilePreview | null> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const sent = await sendYaml('/api/v1/profiles/preview', this.#text);
    // Somebody wrote meanwhile, or the editor was closed.
    if (turn !== this.#turn) return null;
    if (!sent.ok) {
      this.#show({ phase: 'unchecked', preview: this.#last, reason: sent.reason, todos: todosIn(this.#text) });
      this.#later(retryMs);
      return null;
    }
    // The route answers with its own schema.
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
