import { t } from '../strings/t.ts';
import { say } from './announce.ts';

/** One field that can be found. */
interface Findable {
  readonly element: HTMLElement;
  readonly words: string;
}

const textOf = (root: Element, selector: string): string =>
  Array.from(root.querySelectorAll(selector), ({ textContent }) => textContent).join(' ');

const termsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');

/** The search of the page of settings: shows the fields with every word in title, help, key, other names or section. */
export class SconceFind extends HTMLElement {
  readonly #all: Findable[] = [];
  /** Folds as they were before the search began. */
  #folds: Map<HTMLDetailsElement, boolean> | null = null;

  connectedCallback(): void {
    for (const element of Array.from(document.querySelectorAll<HTMLElement>('.sections .field'))) {
      const section = element.closest('.card');
      const words = [
        section === null ? '' : textOf(section, 'h2'),
        textOf(element, '.label,.hint,option'),
        element.dataset['field'] ?? '',
        element.dataset['words'] ?? '',
      ];
      this.#all.push({ element, words: words.join(' ').toLowerCase() });
    }
    const input = this.#input();
    input?.addEventListener('input', () => this.#filter(input.value));
    input?.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#clear();
      if (event.key === 'Enter') this.#enter();
    });
    document.addEventListener('sconce-reveal', () => this.#clear());
    // What a link leads to must not be hidden; before anything follows the link.
    document.addEventListener(
      'click',
      (event) => {
        if (event.target instanceof Element && event.target.closest('sconce-settings a[href*="#"]') !== null)
          this.#clear();
      },
      true,
    );
    this.hidden = false;
    if (input?.value) this.#filter(input.value);
  }

  #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  #clear(): void {
    const input = this.#input();
    if (!input?.value) return;
    input.value = '';
    this.#filter('');
  }

  #enter(): void {
    const found = this.#all.find(({ element }) => !element.hidden)?.element;
    if (this.#folds !== null) found?.querySelector<HTMLElement>('input:not(.unseen),select,button')?.focus();
  }

  #filter(text: string): void {
    const terms = termsIn(text);
    const isOn = terms.length > 0;
    const found = this.#all.filter(({ words }) => terms.every((term) => words.includes(term)));
    for (const one of this.#all) one.element.hidden = !found.includes(one);
    for (const section of Array.from(document.querySelectorAll<HTMLElement>('.sections > .card'))) {
      section.hidden = isOn && section.querySelector('.field:not([hidden])') === null;
      for (const beside of Array.from(section.querySelectorAll<HTMLElement>('.inset'))) beside.hidden = isOn;
      const chip = document.querySelector<HTMLElement>(`.jump a[href="#${section.id}"]`);
      if (chip !== null) chip.hidden = section.hidden;
    }
    this.#unfold(isOn);
    document.querySelector('sconce-settings')?.classList.toggle('is-none', isOn && found.length === 0);
    const none = t('form.found_none', { text: text.trim() });
    say(this.querySelector('.said'), !isOn ? '' : found.length === 0 ? none : t('form.found', { count: found.length }));
  }

  #unfold(isOn: boolean): void {
    const folds = Array.from(document.querySelectorAll<HTMLDetailsElement>('.sections details.advanced'));
    if (isOn) this.#folds ??= new Map(folds.map((fold) => [fold, fold.open]));
    for (const fold of folds) {
      const isFound = fold.querySelector('.field:not([hidden])') !== null;
      fold.hidden = isOn && !isFound;
      fold.open = isOn ? isFound : (this.#folds?.get(fold) ?? fold.open);
    }
    if (!isOn) this.#folds = null;
  }
}
