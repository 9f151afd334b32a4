type Send = (body: Readonly<Record<string, unknown>>) => Promise<void>;

function numberOf(target: EventTarget | null): number | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-sim="press"]') : null;
  return button === null ? null : Number(button.dataset['value']);
}

/** The buttons of the simulated panel under finger and key: down as long as they are pressed. */
export class SimulatorButtons {
  /** Buttons held now: what holds each, a pointer's number or a key's name. */
  readonly #held = new Map<number, number | string>();
  readonly #root: HTMLElement;
  readonly #send: Send;
  /** Down and up reach the panel in the order of the hand. */
  #last: Promise<void> = Promise.resolve();
  /** What has not been sent yet, in that order. */
  readonly #waiting: Readonly<Record<string, unknown>>[] = [];

  constructor(root: HTMLElement, post: Send) {
    this.#root = root;
    this.#send = post;
  }

  /** Listens from now on. */
  start(): void {
    const root = this.#root;
    root.addEventListener('pointerdown', (event) => {
      if (event.button === 0) this.#down(numberOf(event.target), event.pointerId);
    });
    // Wherever the finger went meanwhile, it is lifted; a page that scrolls takes the finger away.
    for (const lifted of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(lifted, (event) => this.#up(event.pointerId));
    for (const kind of ['keydown', 'keyup'] as const) {
      window.addEventListener(kind, (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        const button = numberOf(event.target);
        // Without this the browser would echo the key as a click.
        if (button !== null) event.preventDefault();
        if (kind === 'keyup') this.#up(event.key);
        else if (!event.repeat) this.#down(button, event.key);
      });
    }
    // What reads the page aloud clicks without a finger or a key.
    root.addEventListener('click', (event) => {
      const button = numberOf(event.target);
      if (button !== null && event.detail === 0) this.#post({ press: button });
    });
    root.addEventListener('contextmenu', (event) => {
      if (numberOf(event.target) !== null) event.preventDefault();
    });
    window.addEventListener('blur', () => this.#letGo());
    window.addEventListener('pagehide', () => {
      this.#letGo();
      // Nothing that waits for an answer goes on once the page is left.
      for (const body of this.#waiting.splice(0)) void this.#send(body);
    });
  }

  #down(button: number | null, by: number | string): void {
    if (button === null || this.#held.has(button)) return;
    this.#held.set(button, by);
    this.#post({ hold: button, down: true });
  }

  #up(by: number | string): void {
    for (const [button, holder] of Array.from(this.#held)) {
      if (holder !== by) continue;
      this.#held.delete(button);
      this.#post({ hold: button, down: false });
    }
  }

  #letGo(): void {
    for (const [, holder] of Array.from(this.#held)) this.#up(holder);
  }

  #post(body: Readonly<Record<string, unknown>>): void {
    this.#waiting.push(body);
    this.#last = this.#last.then(() => {
      const next = this.#waiting.shift();
      return next === undefined ? undefined : this.#send(next);
    });
  }
}
