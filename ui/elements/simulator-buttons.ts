type Send = (body: Readonly<Record<string, unknown>>) => Promise<void>;

function numberOf(target: EventTarget | null): number | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-sim="press"]') : null;
  return button === null ? null : Number(button.dataset['value']);
}

/** The simulated panel's buttons, by pointer and key: down while they are pressed. */
export class SimulatorButtons {
  /** Buttons held now, by what holds each: a pointer id or a key name. */
  readonly #held = new Map<number, number | string>();
  readonly #root: HTMLElement;
  readonly #send: Send;
  /** Sends down and up to the panel in the order they happened. */
  #last: Promise<void> = Promise.resolve();
  /** Unsent requests, in order. */
  readonly #waiting: Readonly<Record<string, unknown>>[] = [];

  constructor(root: HTMLElement, post: Send) {
    this.#root = root;
    this.#send = post;
  }

  start(): void {
    const root = this.#root;
    root.addEventListener('pointerdown', (event) => {
      if (event.button === 0) this.#down(numberOf(event.target), event.pointerId);
    });
    // A pointer can be lifted anywhere; scrolling cancels it.
    for (const lifted of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(lifted, (event) => this.#up(event.pointerId));
    for (const kind of ['keydown', 'keyup'] as const) {
      window.addEventListener(kind, (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        const button = numberOf(event.target);
        // Otherwise the browser would also send a click for the key.
        if (button !== null) event.preventDefault();
        if (kind === 'keyup') this.#up(event.key);
        else if (!event.repeat) this.#down(button, event.key);
      });
    }
    // Screen readers click without a pointer or a key.
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
      // Pending requests stop once the page is left.
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
