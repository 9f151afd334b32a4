import { t } from '../strings/t.ts';

/** What a save does with a secret: nothing, clear it, or replace it. */
export type SecretChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'replace'; readonly value: string };

/** A secret in the form: entered if none is set, else only shown as set, to be replaced or cleared. */
export class SconceSecret extends HTMLElement {
  #clearing = false;
  #entering = false;

  connectedCallback(): void {
    for (const button of Array.from(this.querySelectorAll('button'))) button.disabled = false;
    this.#on('[data-secret-replace]', () => {
      this.#clearing = false;
      this.#entering = true;
      this.#draw();
      this.#input().focus();
      this.#changed();
    });
    this.#on('[data-secret-clear]', () => {
      this.#clearing = true;
      this.#changed();
      this.#draw();
    });
    this.#on('[data-secret-eye]', () => this.#reveal(this.#input().type === 'password'));
    this.#draw();
  }

  get change(): SecretChange {
    if (this.#clearing) return { kind: 'clear' };
    const value = this.#input().value;
    return value === '' ? { kind: 'keep' } : { kind: 'replace', value };
  }

  /** Back to the stored state; `set` is true if a secret is stored. */
  settle(set: boolean = this.dataset['set'] === '1'): void {
    this.dataset['set'] = set ? '1' : '0';
    this.#clearing = false;
    this.#entering = false;
    this.#input().value = '';
    this.#reveal(false);
    this.#draw();
  }

  #reveal(shown: boolean): void {
    this.#input().type = shown ? 'text' : 'password';
    this.#find('[data-secret-eye]').setAttribute('aria-pressed', String(shown));
  }

  #draw(): void {
    const set = this.dataset['set'] === '1';
    const isOpen = !set || this.#entering;
    const word = this.#find('[data-secret-word]');
    word.textContent = this.#clearing ? t('form.secret_will_clear') : t('form.secret_set');
    word.hidden = isOpen;
    this.#find('[data-secret-box]').hidden = !isOpen;
    const replace = this.#find('[data-secret-replace]');
    replace.hidden = isOpen;
    replace.textContent = this.#clearing ? t('form.secret_enter') : t('form.secret_replace');
    this.#find('[data-secret-clear]').hidden = isOpen || this.#clearing;
  }

  #changed(): void {
    this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #input(): HTMLInputElement {
    const input = this.querySelector('input');
    if (input === null) throw new Error('a secret field without its input');
    return input;
  }

  #find(selector: string): HTMLElement {
    const found = this.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error('a secret field without one of its parts');
    return found;
  }

  #on(selector: string, act: () => void): void {
    this.#find(selector).addEventListener('click', act);
  }
}
