import { t } from '../strings/t.ts';
import { exact } from '../strings/times.ts';
import { say } from './announce.ts';
import { ask } from './send.ts';

/** "Show what is on the screen": takes a picture when asked, and another one each time after. */
export class SconceScreen extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button');
    const image = this.querySelector('img');
    const line = this.querySelector('.said');
    if (button === null || image === null) return;
    const done = (words: string): void => {
      button.removeAttribute('aria-disabled');
      say(line, words);
    };
    image.addEventListener('load', () => {
      image.hidden = false;
      done(exact(Date.now()).slice(-8));
    });
    image.addEventListener('error', () => {
      // An image keeps to itself why it was refused.
      void ask(image.src).then((answer) =>
        done(t('controls.failed', { reason: answer.ok ? t('error.unreachable') : answer.reason })),
      );
    });
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      button.setAttribute('aria-disabled', 'true');
      // Another address each time, or the picture that stands would be taken for it.
      image.src = `/api/v1/screenshot.png?${Date.now()}`;
    });
  }
}
