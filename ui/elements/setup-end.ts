import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { textOf } from './json-fields.ts';
import { ask } from './send.ts';
import { takePicture } from './take-picture.ts';

/** How long a page takes until its cards are drawn, in milliseconds. */
const DRAWN_MS = 1_500;
/** How often a picture that a busy browser did not give is asked for again, and after how many milliseconds. */
const PICTURE_TRIES = 5;
const RETRY_MS = 2_500;

/** What the setup names although the status does not contain it, so that it is requested. */
export class SetupEnd {
  readonly #page: HTMLElement;
  /** The occasion of the last request. */
  #asked = '';
  /** The navigation whose page is pictured. */
  #pictured = -1;

  constructor(page: HTMLElement) {
    this.#page = page;
  }

  #find(name: string): HTMLElement | null {
    return this.#page.querySelector<HTMLElement>(`[data-${name}]`);
  }

  /** Shows what there is so far; `isOpen` once the person is at the end. */
  follow(status: StatusDocument, isOpen: boolean): void {
    const { setup, platform, renderer } = status;
    const isTaken = platform?.phase === 'duplicate';
    const freeId = this.#find('free-id');
    if (!isTaken && freeId !== null) freeId.hidden = true;
    // Its sentence names the free id, which changes while other machines are still being heard of.
    const occasion = isTaken ? `taken: ${platform.detail}` : setup?.complete === true && setup.seen ? 'shown' : '';
    if (occasion !== this.#asked) void this.#request(occasion);
    if (isOpen && renderer?.rendered === true && renderer.place === 'dashboard')
      this.#showPicture(renderer.navigation?.at ?? 0);
    void this.#showUser(status);
  }

  /** Names the entity that Home Assistant lists and leads to its device, or offers a free id. */
  async #request(occasion: string): Promise<void> {
    this.#asked = occasion;
    if (occasion === '') return;
    const answer = await ask('/api/v1/setup');
    if (!answer.ok) {
      this.#asked = '';
      return;
    }
    const { entity, device_url: url, free_id: id } = answer.body;
    const show = (name: string, value: unknown, fill: (place: HTMLElement, value: string) => void): void => {
      const place = this.#find(name);
      if (place === null || textOf(value) === '') return;
      fill(place, textOf(value));
      place.hidden = false;
    };
    show('entity', entity, (line, name) => announceIn(line, t('setup.entity', { entity: name })));
    show('device', url, (link, address) => {
      link.setAttribute('href', address);
      this.#find('home')?.classList.remove('primary');
    });
    show('free-id', id, (button, free) => {
      button.dataset['freeId'] = free;
      button.textContent = t('setup.identity.take', { id: free });
    });
  }

  /** Shows what is on the screen since a navigation; a panel without a picture of it shows none. */
  #showPicture(at: number): void {
    const image = this.#find('shot');
    if (image === null || this.#pictured === at) return;
    this.#pictured = at;
    const show = async (triesLeft: number): Promise<void> => {
      const picture = await takePicture();
      // A newer page has its own picture.
      if (this.#pictured !== at) return;
      if ('data' in picture) {
        image.setAttribute('src', picture.data);
        image.hidden = false;
      } else if (triesLeft > 0) window.setTimeout(() => void show(triesLeft - 1), RETRY_MS);
    };
    window.setTimeout(() => void show(PICTURE_TRIES), DRAWN_MS);
  }

  /** Names the signed-in user, which is known a moment after the sign-in. */
  async #showUser({ sign_in: signIn }: StatusDocument): Promise<void> {
    const line = this.#find('who');
    const isIn = signIn?.phase === 'signed-in';
    if (!isIn) announceIn(line, '');
    if (!isIn || signIn.administrator === null || line?.textContent?.trim() !== '') return;
    const answer = await ask('/api/v1/ha/oauth/status');
    const name = answer.ok ? textOf(answer.body['display_name']) : '';
    if (name !== '') announceIn(line, t('setup.signed_in_as', { name }));
  }
}
