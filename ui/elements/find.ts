import { type FoundSetting, FoundRow } from '../parts/found-setting.tsx';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { fieldsOf, textOf } from './json-fields.ts';
import { askText } from './send.ts';

/** A setting with its search words, in lower case. */
interface Findable extends FoundSetting {
  readonly names: string;
  readonly words: string;
}

const termsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');

/**
 * The search over all settings: finds those with every word in their title, help, key, options, other names or group.
 */
export class SconceFind extends HTMLElement {
  /** Null until the search is first used, and again if the panel did not answer. */
  #all: Promise<readonly Findable[]> | null = null;
  #failure = '';
  #turn = 0;

  connectedCallback(): void {
    const input = this.querySelector('input');
    if (input === null) return;
    input.addEventListener('focus', () => void this.#settings());
    input.addEventListener('input', () => void this.#find(input.value));
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.querySelector('a')?.click();
      if (key !== 'Escape') return;
      input.value = '';
      void this.#find('');
    });
    this.hidden = false;
    // The browser restores the typed text when navigating back to this page.
    if (input.value !== '') void this.#find(input.value);
  }

  #settings(): Promise<readonly Findable[]> {
    this.#all ??= this.#read();
    return this.#all;
  }

  async #read(): Promise<readonly Findable[]> {
    const answer = await askText('/api/v1/config/schema');
    this.#failure = answer.ok ? '' : answer.reason;
    if (!answer.ok) {
      this.#all = null;
      return [];
    }
    const items: unknown = JSON.parse(answer.text);
    const names = fieldsOf(JSON.parse(this.dataset['words'] ?? '{}'));
    return (Array.isArray(items) ? items : []).flatMap((item) => this.#findable(fieldsOf(item), names));
  }

  /** The search entry of a schema item; none if it has no link on this page. */
  #findable(item: Readonly<Record<string, unknown>>, names: Readonly<Record<string, unknown>>): readonly Findable[] {
    const key = textOf(item['key']);
    const link = document.getElementById(`${item['readOnly'] === true ? 'expose' : 'field'}-${key}`);
    if (!(link instanceof HTMLAnchorElement)) return [];
    const group = document.querySelector(`.group-link[href="${link.pathname}"] h2`)?.textContent ?? '';
    const [label, help] = [textOf(item['label']), textOf(item['help'])];
    const options = Array.isArray(item['options']) ? item['options'].join(' ') : '';
    const called = `${label} ${key} ${textOf(names[key])}`.toLowerCase();
    const words = `${called} ${help} ${options} ${group}`.toLowerCase();
    return [{ href: link.pathname + link.hash, label, help, group, names: called, words }];
  }

  async #find(text: string): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const terms = termsIn(text);
    const all = terms.length === 0 ? [] : await this.#settings();
    if (turn !== this.#turn) return;
    const isIn = (words: string): boolean => terms.every((term) => words.includes(term));
    const matches = all.filter(({ words }) => isIn(words));
    const found = [...matches.filter(({ names }) => isIn(names)), ...matches.filter(({ names }) => !isIn(names))];
    const list = this.querySelector('ul');
    if (list !== null) {
      list.hidden = found.length === 0;
      list.innerHTML = found.map((setting) => String(FoundRow({ setting }))).join('');
    }
    // If nothing was found, the groups stay visible.
    for (const groups of Array.from(document.querySelectorAll<HTMLElement>('[data-groups]')))
      groups.hidden = found.length > 0;
    announceIn(this.querySelector('.said'), this.#outcome(text.trim(), found.length));
  }

  #outcome(text: string, count: number): string {
    if (text === '') return '';
    if (this.#failure !== '') return t('form.find_failed', { reason: this.#failure });
    return count === 0 ? t('form.found_none', { text }) : t('form.found', { count });
  }
}
