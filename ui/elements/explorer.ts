import { Explorer, Operation } from '../parts/explorer-view.tsx';
import { exampleOf, operationsOf, type OpenApi, type OperationFacts } from '../parts/openapi.ts';
import { t } from '../strings/t.ts';
import { say } from './announce.ts';
import { ask } from './send.ts';

/** Longest answer that is shown, in characters; a page is no place for more. */
const shownCharacters = 20_000;

const values = (form: HTMLFormElement, where: string): readonly (readonly [string, string])[] =>
  Array.from(form.querySelectorAll<HTMLInputElement>(`[data-in="${where}"]`)).flatMap((input) =>
    input.value === '' ? [] : [[input.name, input.value] as const],
  );

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** The own small explorer: reads the OpenAPI document of this build and sends requests to this panel alone. */
export class SconceExplorer extends HTMLElement {
  #operations: readonly OperationFacts[] = [];
  #document: OpenApi = {};

  connectedCallback(): void {
    void this.#load();
    this.addEventListener('toggle', (event) => this.#open(event.target), true);
    this.addEventListener('input', (event) => {
      if (event.target instanceof HTMLInputElement && event.target.matches('[data-filter]'))
        this.#filter(event.target.value);
    });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLFormElement) void this.#send(event.target);
    });
  }

  async #load(): Promise<void> {
    const answer = await ask(this.getAttribute('src') ?? '');
    if (!answer.ok) {
      say(this.querySelector('[role=status]'), t('api.failed', { reason: answer.reason }));
      return;
    }
    // The document is made by the panel's own routes; every field read of it is optional.
    this.#document = answer.body as OpenApi;
    this.#operations = operationsOf(this.#document);
    this.innerHTML = String(Explorer({ operations: this.#operations }));
    this.#filter('');
  }

  /** Draws an operation's inside when it is first opened. */
  #open(target: EventTarget | null): void {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    const body = target.querySelector('[data-operation]');
    const operation = this.#operations[Number(body?.getAttribute('data-operation'))];
    if (body === null || operation === undefined || body.childElementCount > 0) return;
    const example = operation.body === null ? null : JSON.stringify(exampleOf(this.#document, operation.body), null, 2);
    body.innerHTML = String(Operation({ operation, example }));
  }

  #filter(words: string): void {
    const wanted = words.trim().toLowerCase();
    let count = 0;
    for (const row of Array.from(this.querySelectorAll<HTMLElement>('[data-find]'))) {
      row.hidden = !(row.dataset['find'] ?? '').includes(wanted);
      if (!row.hidden) count += 1;
    }
    for (const section of Array.from(this.querySelectorAll<HTMLElement>('[data-tag]')))
      section.hidden = section.querySelector('[data-find]:not([hidden])') === null;
    say(this.querySelector('[data-count]'), count === 0 ? t('api.none') : t('api.count', { count }));
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const operation = this.#operations[Number(form.dataset['index'])];
    if (operation === undefined) return;
    const line = form.querySelector('[data-line]');
    const output = form.querySelector('[data-output]');
    say(line, t('api.sending'));
    let path = operation.path;
    for (const [name, value] of values(form, 'path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
    const query = new URLSearchParams(values(form, 'query').map(([name, value]) => [name, value])).toString();
    const text = form.querySelector<HTMLTextAreaElement>('[data-body]')?.value;
    const started = performance.now();
    try {
      const response = await fetch(query === '' ? path : `${path}?${query}`, {
        method: operation.method,
        headers: {
          Accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
          ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const answer = await response.text();
      say(
        line,
        t('api.answer', {
          status: `${response.status} ${response.statusText}`.trim(),
          ms: Math.round(performance.now() - started),
        }),
      );
      if (output instanceof HTMLElement) {
        output.hidden = answer === '';
        output.textContent = pretty(answer).slice(0, shownCharacters);
      }
    } catch {
      say(line, t('api.failed', { reason: t('error.unreachable') }));
    }
  }
}
