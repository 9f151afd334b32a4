import { t } from '../strings/t.ts';
import { brightnessPercent } from '../parts/panel-drawing.tsx';
import { announce, say } from './announce.ts';
import { hold } from './morph.ts';
import { send } from './send.ts';

/** Least time between two values while a slider is dragged, in milliseconds. */
const dragMs = 150;

const line = (): Element | null => document.querySelector('[data-said="controls"]');

/** Sends one action; says only what went wrong, and what cannot be seen. */
export const act = async (verb: string, value?: number): Promise<void> => {
  const sent = await send('/api/v1/action', value === undefined ? { a: verb } : { a: verb, value });
  if (!sent.ok) say(line(), t('controls.failed', { reason: sent.reason }));
  else if (verb === 'reboot') say(line(), t('controls.reboot_sent'));
  else if (verb === 'home' || verb === 'reload') say(line(), t('controls.sent'));
  else say(line(), '');
};

const showValue = (slider: HTMLInputElement): void => {
  const value = Number(slider.value);
  const shown = slider.dataset['slide'] === 'brightness' ? brightnessPercent(value) : value;
  const output = document.querySelector(`[data-of="${slider.id}"]`);
  if (output !== null) output.textContent = `${shown} %`;
};

/** Sends a slider's value while it moves: at once, then at most every `dragMs`, and always the last one. */
const startSliders = (): void => {
  const waiting = new Map<string, number>();
  const push = (slider: HTMLInputElement): void => {
    const verb = slider.dataset['slide'] ?? '';
    if (waiting.has(verb)) return;
    waiting.set(
      verb,
      window.setTimeout(() => {
        waiting.delete(verb);
        void act(verb, Number(slider.value));
      }, dragMs),
    );
  };
  document.addEventListener('input', (event) => {
    const slider = event.target;
    if (!(slider instanceof HTMLInputElement) || slider.dataset['slide'] === undefined) return;
    hold(slider);
    showValue(slider);
    push(slider);
  });
};

const dialogOf = (id: string): HTMLDialogElement | null => {
  const found = document.getElementById(id);
  return found instanceof HTMLDialogElement ? found : null;
};

/** Buttons, switches, sliders and the question before a reboot. */
export const startControls = (): void => {
  startSliders();
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-act],[data-ask],[data-close]') : null;
    if (button === null) return;
    const { act: verb, ask, close } = button.dataset;
    if (ask !== undefined) dialogOf(ask)?.showModal();
    if (close !== undefined) dialogOf(close)?.close();
    if (verb !== undefined) {
      if (button.getAttribute('role') === 'switch')
        announce(verb === 'screen_on' ? t('controls.on') : t('controls.off'));
      void act(verb);
    }
  });
};
