import type { JobDocument } from '../parts/install-documents.ts';
import { JobView } from '../parts/install-job.tsx';
import { announce } from './announce.ts';
import { redraw } from './morph.ts';
import { ask } from './send.ts';

/** Poll interval, in milliseconds: while an operation runs, and otherwise. */
const readMs = { busy: 700, calm: 5_000 };
/** Longest restart on a slow panel, in milliseconds; after that, nothing is going to start Sconce. */
const silentMs = 30_000;

/** Fired once an operation has ended. */
export const JOB_ENDED = 'sconce-job-ended';
/** Makes the job be read at once, since one was begun here. */
const JOB_BEGUN = 'sconce-job-begun';

/** Follows the running operation, through the restart that carries it out. */
export class SconceJob extends HTMLElement {
  #job: JobDocument | null = null;
  /** When the panel stopped answering, in epoch milliseconds; null while it answers. */
  #awaySince: number | null = null;
  #timer: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    document.addEventListener(JOB_BEGUN, () => void this.#read());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#read();
    });
    void this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const answer = await ask('/api/v1/install/status');
    if (turn !== this.#turn) return;
    const before = this.#job;
    if (answer.ok) {
      this.#awaySince = null;
      // The route's schema guarantees this type.
      this.#job = answer.body as unknown as JobDocument;
    } else this.#awaySince ??= Date.now();
    this.#draw();
    if (answer.ok && before?.running === true && this.#job?.running === false) {
      announce(this.#job.message);
      document.dispatchEvent(new Event(JOB_ENDED));
    }
    const calm = answer.ok && this.#job?.running === false;
    this.#timer = window.setTimeout(
      () => {
        if (!document.hidden || !calm) void this.#read();
      },
      calm ? readMs.calm : readMs.busy,
    );
  }

  #draw(): void {
    const job = this.#job;
    if (job === null) return;
    const silent = this.#awaySince !== null && Date.now() - this.#awaySince >= silentMs;
    redraw(this, String(JobView({ job, now: Date.now(), reachable: this.#awaySince === null, silent })));
  }
}

/** Tells the job's card that an operation was begun here. */
export const begunHere = (): boolean => document.dispatchEvent(new Event(JOB_BEGUN));
