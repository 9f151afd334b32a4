import { Body, BodyInput, Operation } from '../parts/explorer-operation.tsx';
import { Explorer } from '../parts/explorer-view.tsx';
import { type BodyFacts, type OpenApi, type OperationFacts, operationsOf } from '../parts/openapi.ts';
import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { ask } from './send.ts';
import { revealTarget } from './expand.ts';

/** Longest response shown, in characters. */
const shownCharacters = 20_000;

/** The non-empty inputs of one kind. */
const values = (form: HTMLFormElement, where: string): [string, string][] =>
  Array.from(form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(`[data-in="${where}"]`)).flatMap(
    ({ name, value }): [string, string][] => (value === '' ? [] : [[name, value]]),
  );

const chosen = (form: HTMLFormElement, mark: 'type' | 'shape'): number =>
  Number(form.querySelector<HTMLSelectElement>(`[data-choose="${mark}"]`)?.value ?? 0);

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const isText = (type: string): boolean => type === '' || /^(text\/|application\/(json|yaml)|image\/svg)/.test(type);

/** Text shown for a binary response, such as a picture. */
const sizeOf = async (response: Response, type: string): Promise<string> =>
  t('api.bytes', { count: (await response.arrayBuffer()).byteLength, type });

/** The body as entered, in the chosen media type. */
const written = (form: HTMLFormElement, body: BodyFacts): string =>
  body.form
    ? new URLSearchParams(values(form, 'form')).toString()
    : (form.querySelector<HTMLTextAreaElement>('[data-text]')?.value ?? '');

/** A small API explorer: reads this build's OpenAPI document and sends requests to this panel only. */
export class SconceExplorer extends HTMLElement {
  #operations: readonly OperationFacts[] = [];

  connectedCallback(): void {
    void this.#load();
    this.addEventListener('toggle', (event) => this.#open(event.target), true);
    this.addEventListener('change', (event) => this.#choose(event.target));
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
      announceIn(this.querySelector('[role=status]'), t('api.failed', { reason: answer.reason }));
      return;
    }
    // The panel's own routes produce the document; every field read here is optional.
    const read = answer.body as OpenApi;
    this.#operations = operationsOf(read);
    this.innerHTML = String(Explorer({ document: read, operations: this.#operations }));
    this.#filter('');
    // The target did not exist before.
    revealTarget(window.location.hash);
  }

  /** Draws an operation's details when it is first opened. */
  #open(target: EventTarget | null): void {
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches('.operation')) return;
    const inside = target.querySelector('[data-operation]');
    const operation = this.#operations[Number(inside?.getAttribute('data-operation'))];
    if (inside === null || operation === undefined || inside.childElementCount > 0) return;
    inside.innerHTML = String(Operation({ operation }));
  }

  /** Draws the inputs for the chosen media type or shape. */
  #choose(target: EventTarget | null): void {
    if (!(target instanceof HTMLSelectElement) || target.form === null) return;
    const inside = target.form.querySelector('[data-body]');
    const id = inside?.getAttribute('data-body') ?? '';
    const body = this.#operations[Number(target.form.dataset['index'])]?.bodies[chosen(target.form, 'type')];
    if (inside === null || body === undefined) return;
    const input = target.form.querySelector('[data-input]');
    if (target.matches('[data-choose="type"]')) inside.innerHTML = String(Body({ body, id }));
    else if (target.matches('[data-choose="shape"]') && input !== null)
      input.innerHTML = String(BodyInput({ body, chosen: Number(target.value), id }));
  }

  #filter(words: string): void {
    const wanted = words.trim().toLowerCase();
    let count = 0;
    for (const row of Array.from(this.querySelectorAll<HTMLElement>('[data-find]'))) {
      row.hidden = !(row.dataset['find'] ?? '').includes(wanted);
      if (!row.hidden) count += 1;
    }
    for (const group of Array.from(this.querySelectorAll<HTMLDetailsElement>('[data-tag], [data-older]'))) {
      group.hidden = group.querySelector('[data-find]:not([hidden])') === null;
      group.open = wanted !== '' && !group.hidden;
    }
    announceIn(this.querySelector('[data-count]'), count === 0 ? t('api.none') : t('api.count', { count }));
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const operation = this.#operations[Number(form.dataset['index'])];
    if (operation === undefined) return;
    const line = form.querySelector('[data-line]');
    const output = form.querySelector('[data-output]');
    line?.classList.remove('refused');
    announceIn(line, t('api.sending'));
    let path = operation.path;
    for (const [name, value] of values(form, 'path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
    const query = new URLSearchParams(values(form, 'query')).toString();
    const body = operation.bodies[chosen(form, 'type')];
    const started = performance.now();
    try {
      const response = await fetch(query === '' ? path : `${path}?${query}`, {
        method: operation.method,
        headers: {
          Accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
          ...Object.fromEntries(values(form, 'header')),
          ...(body === undefined ? {} : { 'Content-Type': body.type }),
        },
        ...(body === undefined ? {} : { body: written(form, body) }),
      });
      const type = response.headers.get('content-type') ?? '';
      const answer = isText(type) ? pretty(await response.text()) : await sizeOf(response, type);
      const isAsked = response.status === 202 && answer.includes('"error": "approval-required"');
      announceIn(
        line,
        t('api.answer', {
          status: `${response.status} ${isAsked ? t('approval.wait') : response.statusText}`.trim(),
          ms: Math.round(performance.now() - started),
        }),
      );
      line?.classList.toggle('refused', !response.ok);
      if (output instanceof HTMLElement) {
        output.hidden = answer === '';
        output.textContent = answer.slice(0, shownCharacters);
      }
      // On a phone the navigation bar would cover it.
      form.querySelector('.try-answer')?.scrollIntoView({ block: 'nearest' });
    } catch {
      line?.classList.add('refused');
      if (output instanceof HTMLElement) output.hidden = true;
      announceIn(line, t('api.failed', { reason: t('error.unreachable') }));
    }
  }
}
