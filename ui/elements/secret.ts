import { t } from '../strings/t.ts';

/** What a save does with a secret: nothing, clear it, or replace it. */
export type SecretChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'replace'; readonly value: string };

/** A secret of the form: shown only as set or not set, replaced or cleared. */
export class SconceSecret extends HTMLElement {
  #clearing = false;

  connectedCallback(): void {
    const replace = this.#button('[data-secret-replace]');
    const clear = this.#button('[data-secret-clear]');
    replace.disabled = false;
    clear.disabled = false;
    replace.addEventListener('click', () => {
      this.#clearing = false;
      this.#draw(true);
      this.#input().focus();
      this.#changed();
    });
    clear.addEventListener('click', () => {
      this.#clearing = true;
      this.#input().value = '';
      this.#draw(false);
      this.#changed();
    });
  }

  /** What a save does with it. */
  get change(): SecretChange {
    if (this.#clearing) return { kind: 'clear' };
    const value = this.#input().value;
    return value === '' ? { kind: 'keep' } : { kind: 'replace', value };
  }

  /** Back to how it is stored; `set` says whether one is. */
  settle(set: boolean = this.dataset['set'] === '1'): void {
    this.dataset['set'] = set ? '1' : '0';
    this.#clearing = false;
    this.#input().value = '';
    this.#draw(false);
  }

  #draw(entering: boolean): void {
    const set = this.dataset['set'] === '1';
    const word = this.querySelector('[data-secret-word]');
    if (word !== null)
      word.textContent = this.#clearing
        ? t('form.secret_will_clear')
        : set
          ? t('form.secret_set')
          : t('form.secret_not_set');
    const box = this.querySelector<HTMLElement>('[data-secret-box]');
    if (box !== null) box.hidden = !entering;
    const replace = this.#button('[data-secret-replace]');
    replace.hidden = entering;
    replace.textContent = set && !this.#clearing ? t('form.secret_replace') : t('form.secret_enter');
    this.#button('[data-secret-clear]').hidden = !set || this.#clearing;
  }

  #changed(): void {
    this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #input(): HTMLInputElement {
    const input = this.querySelector('input');
    if (input === null) throw new Error('a secret field without its input');
    return input;
  }

  #button(selector: string): HTMLButtonElement {
    const button = this.querySelector<HTMLButtonElement>(selector);
    if (button === null) throw new Error('a secret field without its buttons');
    return button;
  }
}
