import { t } from '../strings/t.ts';
import { brightnessPercent } from '../parts/panel-drawing.tsx';
import { announce } from './announce.ts';
import { closest } from './closest.ts';
import { hold, letGoOf } from './morph.ts';
import { forgive, note, noteOf } from './note.ts';
import { send, whyNot } from './send.ts';
import { onLink, takeAgain } from './stream.ts';

/** Minimum time between two values while a slider is dragged, in milliseconds. */
const dragMs = 150;

/** A body of `POST /api/v1/action`. */
type Action = Readonly<Record<string, unknown>> & { readonly a: string };

/** Results of an action that the page does not show otherwise. */
function announcementOf({ a }: Action): string {
  if (a === 'reboot') return t('controls.reboot_sent');
  return a === 'home' || a === 'reload' ? t('controls.sent') : '';
}

/** The button that shows that a request waits: of a dialog, the one that opened it. */
function busyButton(control: HTMLElement): HTMLElement | null {
  const dialog = control.closest('dialog');
  return dialog === null ? control : document.querySelector<HTMLElement>(`[data-ask="${dialog.id}"]`);
}

/** Requests one action; a refusal is shown at its control, which reverts to the true state. */
async function act(control: HTMLElement, action: Action): Promise<boolean> {
  const beside = { line: () => noteOf(control), button: busyButton(control) };
  const sent = await send('/api/v1/action', action, { beside });
  if (sent.ok) {
    note(noteOf(control), announcementOf(action));
    return true;
  }
  letGoOf(control);
  if (control instanceof HTMLInputElement) {
    // As it was drawn last: before the first status nothing else draws it again.
    control.value = control.defaultValue;
    if (control.dataset['slide'] !== undefined) showValue(control);
  }
  takeAgain();
  note(noteOf(control), whyNot(sent), true);
  return false;
}

/** The action of a button. */
const actionOf = ({ dataset: { act: verb = '', id, on } }: HTMLElement): Action =>
  id === undefined ? { a: verb } : { a: verb, id, on: on === '1' };

/** The action for the value of a slider or colour input. */
function valueOf({ dataset: { slide, colour, id }, value }: HTMLInputElement): Action {
  if (colour !== undefined) return { a: 'light', id: colour, on: true, rgb: value };
  return slide === 'light' ? { a: 'light', id, brightness: Number(value) } : { a: slide ?? '', value: Number(value) };
}

function showValue(slider: HTMLInputElement): void {
  const value = Number(slider.value);
  const shown = slider.dataset['slide'] === 'brightness' ? brightnessPercent(value) : value;
  const output = document.querySelector(`[data-of="${slider.id}"]`);
  if (output !== null) output.textContent = `${shown} %`;
}

/** Sends a slider's value while it moves: immediately, then at most every `dragMs`, and always the final value. */
function startSliders(): void {
  const waiting = new Map<string, number>();
  document.addEventListener('input', (event) => {
    const slider = event.target;
    if (!(slider instanceof HTMLInputElement)) return;
    const { slide, colour } = slider.dataset;
    if (slide === undefined && colour === undefined) return;
    hold(slider);
    if (slide !== undefined) showValue(slider);
    if (waiting.has(slider.id)) return;
    waiting.set(
      slider.id,
      window.setTimeout(() => {
        waiting.delete(slider.id);
        void act(slider, valueOf(slider));
      }, dragMs),
    );
  });
}

function dialogOf(id: string): HTMLDialogElement | null {
  const found = document.getElementById(id);
  return found instanceof HTMLDialogElement ? found : null;
}

const isTurnedOn = ({ a, on }: Action): boolean => a === 'screen_on' || on === true;

/** Starts the buttons, switches, sliders and the reboot dialog. */
export function startControls(): void {
  startSliders();
  // A refusal because the panel did not answer is cleared once it answers.
  onLink((live) => {
    if (live) forgive();
  });
  document.addEventListener('click', (event) => {
    const button = closest(event, '[data-act],[data-ask],[data-close]');
    if (button === null) return;
    const { act: verb, ask, close } = button.dataset;
    if (ask !== undefined) dialogOf(ask)?.showModal();
    if (close !== undefined) dialogOf(close)?.close();
    if (verb === undefined) return;
    const action = actionOf(button);
    void act(button, action).then((done) => {
      if (done && button.getAttribute('role') === 'switch')
        announce(t(isTurnedOn(action) ? 'controls.on' : 'controls.off'));
    });
  });
}
