import { CameraPicture } from '../parts/camera-picture.tsx';
import { t } from '../strings/t.ts';
import { seconds } from '../strings/times.ts';
import { announce } from './announce.ts';
import { closest } from './closest.ts';
import { note, noteOf } from './note.ts';
import { ask, send, whyNot } from './send.ts';
import { takePicture } from './take-picture.ts';

/** The configuration once the question at the panel was answered; null if the camera is still off. */
async function inForce(): Promise<Readonly<Record<string, unknown>> | null> {
  const answer = await ask('/api/v1/config');
  if (!answer.ok) return null;
  // Checked below; the route's schema has it as an object.
  const settings = answer.body['settings'] as Readonly<Record<string, unknown>> | undefined;
  return settings?.['camera_enabled'] === true ? answer.body : null;
}

/** Turns the camera on, which a person at the panel approves, or off, which is done at once. */
async function turn(button: HTMLElement, on: boolean): Promise<void> {
  const beside = { line: () => noteOf(button), button, ...(on && { inForce }) };
  const sent = await send('/api/v1/config', { camera_enabled: on }, { beside });
  note(noteOf(button), sent.ok ? '' : whyNot(sent), !sent.ok);
  if (sent.ok) announce(t(on ? 'controls.on' : 'controls.off'));
}

/**
 * The camera's switch and "Take a picture". A picture is taken only when it is asked for, since that opens the camera,
 * and stays until it is removed or the camera is off. A separate script.
 */
export class SconceCamera extends HTMLElement {
  #isTaking = false;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = closest(event, '[data-camera]');
      if (button === null) return;
      const { camera: verb } = button.dataset;
      if (verb === 'take') void this.#take(button);
      else if (verb === 'hide') this.#hide();
      else void turn(button, verb === 'on');
    });
  }

  async #take(button: HTMLElement): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    // Not disabled, which would take the focus from it.
    button.setAttribute('aria-busy', 'true');
    note(noteOf(button), t('camera.taking'));
    const taken = await takePicture('/api/v1/camera/snapshot.jpg');
    this.#isTaking = false;
    button.removeAttribute('aria-busy');
    if ('data' in taken) this.#show(button, taken.data);
    else note(noteOf(button), t('controls.failed', { reason: taken.reason }), true);
  }

  #show(button: HTMLElement, data: string): void {
    note(noteOf(button), '');
    const place = this.querySelector('[data-shot]');
    if (place === null) return;
    const time = seconds(Date.now());
    place.innerHTML = String(CameraPicture({ data, time }));
    announce(t('camera.taken', { time }));
  }

  #hide(): void {
    const place = this.querySelector('[data-shot]');
    if (place !== null) place.innerHTML = '';
    this.querySelector<HTMLElement>('[data-camera="take"]')?.focus();
  }
}
