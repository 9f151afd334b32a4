import { closest } from './closest.ts';
import { changeVoice } from './voice-change.ts';

/** The switch of voice on the first page, and Cancel. A separate script. */
export class SconceVoiceSwitch extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = closest(event, 'button[data-voice]');
      if (button !== null) void changeVoice(button);
    });
  }
}
