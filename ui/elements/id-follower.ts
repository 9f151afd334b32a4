import { checkSetting } from './check-setting.ts';

/** How long nobody types until the panel is asked what an id becomes, in milliseconds. */
const PAUSE_MS = 250;

/** Asks the panel what a panel id that is being typed becomes; a late answer is dropped. */
export class IdFollower {
  #pause: number | undefined;
  /** Counts what is typed, so that a late answer is known. */
  #turn = 0;

  /** Drops what is under way. */
  drop(): void {
    this.#turn += 1;
    window.clearTimeout(this.#pause);
  }

  /** Tells what `value` becomes once nobody types any more; "" where it would be refused. */
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
