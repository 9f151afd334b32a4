import { checkSetting } from './check-setting.ts';

/** Pause in typing before the panel is asked what an id becomes, in milliseconds. */
const PAUSE_MS = 250;

/** Asks the panel what a typed panel id becomes; stale answers are dropped. */
export class IdFollower {
  #pause: number | undefined;
  /** Incremented with each edit, to recognise stale answers. */
  #turn = 0;

  /** Drops the pending request. */
  drop(): void {
    this.#turn += 1;
    window.clearTimeout(this.#pause);
  }

  /** Reports what `value` becomes once typing pauses; "" if it would be refused. */
  follow(value: string, notify: (becomes: string) => void): void {
    this.drop();
    const turn = this.#turn;
    this.#pause = window.setTimeout(() => {
      void checkSetting('panel_id', value).then((checked) => {
        if (turn === this.#turn) notify(checked?.ok === true && typeof checked.value === 'string' ? checked.value : '');
      });
    }, PAUSE_MS);
  }
}
