import type { CountedTraffic, Measured } from '../parts/entities-savings.tsx';
import { sampleSeconds } from '../parts/entities-savings.tsx';
import { t } from '../strings/t.ts';

/** How often the elapsed time is redrawn, in milliseconds. */
const tickMs = 1_000;

/** Measures traffic on request and shows progress; a result stays until the next measurement. */
export class EntityTraffic {
  readonly #changed: () => void;
  #measured: Measured = null;
  #abort: AbortController | undefined;
  #timer: number | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get measured(): Measured {
    return this.#measured;
  }

  /** Starts a measurement at `path`. */
  async start(path: string): Promise<void> {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    const began = performance.now();
    const tick = (): void => {
      const seconds = 2 * sampleSeconds;
      this.#show({ elapsed: Math.min(seconds, Math.floor((performance.now() - began) / 1000)), seconds });
    };
    tick();
    this.#timer = window.setInterval(tick, tickMs);
    const measured = await this.#count(`${path}&seconds=${sampleSeconds}`, abort.signal);
    if (this.#abort !== abort) return;
    this.#end();
    this.#show(measured);
  }

  stop(): void {
    this.#abort?.abort();
    this.#end();
    this.#show(null);
  }

  #end(): void {
    window.clearInterval(this.#timer);
    this.#abort = undefined;
  }

  #show(measured: Measured): void {
    this.#measured = measured;
    this.#changed();
  }

  async #count(path: string, signal: AbortSignal): Promise<Measured> {
    try {
      const response = await fetch(path, { headers: { Accept: 'application/json' }, signal });
      // The route's schema guarantees this type, unless it refuses.
      const body = (await response.json()) as {
        readonly message?: string;
        readonly seconds: number;
        readonly all: CountedTraffic;
        readonly filtered: CountedTraffic | null;
      };
      if (response.ok) return { seconds: body.seconds, all: body.all, filtered: body.filtered };
      return { reason: body.message ?? t('error.unexpected', { status: String(response.status) }) };
    } catch {
      return { reason: t('error.unreachable') };
    }
  }
}
