import { fill } from './fill.ts';

/** What a person is asked before something happens. */
export interface Question {
  readonly title: string;
  /** The consequences, one sentence each. */
  readonly texts: readonly string[];
  /** Label of the confirming button. */
  readonly yes: string;
}

/** Asks in the page's dialog `id`; true only for the confirming button, false for Escape and "Cancel". */
export const askPerson = (id: string, { title, texts, yes }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const dialog = document.getElementById(id);
    if (!(dialog instanceof HTMLDialogElement)) {
      resolve(false);
      return;
    }
    const heading = dialog.querySelector('h2');
    if (heading !== null) heading.textContent = title;
    const list = dialog.querySelector('[data-texts]');
    fill(
      list,
      ...texts.map((text) => {
        const item = document.createElement('li');
        item.textContent = text;
        return item;
      }),
    );
    const button = dialog.querySelector('[data-answer="yes"]');
    if (button !== null) button.textContent = yes;
    let agreed = false;
    const answer = (event: Event): void => {
      const chosen = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-answer]') : null;
      if (chosen === null) return;
      agreed = chosen.dataset['answer'] === 'yes';
      dialog.close();
    };
    dialog.addEventListener('click', answer);
    dialog.addEventListener(
      'close',
      () => {
        dialog.removeEventListener('click', answer);
        resolve(agreed);
      },
      { once: true },
    );
    dialog.showModal();
  });
