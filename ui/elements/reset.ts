import type { ResetDocument } from '#machines/reset/document.ts';
import type { ResetScope } from '#machines/reset/events.ts';
import { comesBack, ResetView, underWay } from '../parts/reset.tsx';
import { t } from '../strings/t.ts';
import { announce } from './announce.ts';
import { redraw } from './morph.ts';
import { note } from './note.ts';
import { askPerson } from './question.ts';
import { ask, send, whyNot } from './send.ts';
import { onLink } from './stream.ts';

const path = '/api/v1/setup/reset';
/** Poll interval, in milliseconds: during a reset, and otherwise. */
const readMs = { busy: 700, calm: 5_000 };
/** Longest restart on a slow panel, in milliseconds; after that, nothing is going to start Sconce. */
const silentMs = 30_000;

/** Asks before a reset, requests it, and follows it through to the end of the restart. */
export class SconceReset extends HTMLElement {
  #doc: ResetDocument | null = null;
  #reachable = true;
  /** When the panel stopped answering, in epoch milliseconds; null while it answers. */
  #awaySince: number | null = null;
  /** The reset requested here, and the time of the previous reset. */
  #asked: { readonly scope: ResetScope; readonly before: number; readonly ordered: boolean } | null = null;
  /** True while a reset waits for a person at the panel. */
  #asking = false;
  /** The result of the last request, which outlives every redraw. */
  #said = { words: '', refused: false };
  #timer: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-reset]') : null;
      const scope = button?.dataset['reset'];
      if (scope === 'connection' || scope === 'settings' || scope === 'everything') void this.#begin(scope);
    });
    this.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('[data-cancel]') !== null) void this.#cancel();
    });
    onLink(() => void this.#read());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#read();
    });
    void this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const answer = await ask(path);
    if (turn !== this.#turn) return;
    // A restarting panel refuses connections, or does not know its last reset yet.
    this.#reachable = answer.ok;
    if (answer.ok) this.#awaySince = null;
    else this.#awaySince ??= Date.now();
    // The route's schema guarantees this type.
    if (answer.ok) this.#take(answer.body as unknown as ResetDocument);
    this.#draw();
    const calm = this.#reachable && this.#asked === null && this.#doc?.phase === 'idle';
    this.#timer = window.setTimeout(
      () => {
        if (!document.hidden || !calm) void this.#read();
      },
      calm ? readMs.calm : readMs.busy,
    );
  }

  #take(doc: ResetDocument): void {
    this.#doc = doc;
    const { last } = doc;
    if (this.#asked === null || last === null || last.at === this.#asked.before || doc.phase !== 'idle') return;
    this.#asked = null;
    announce(t(last.finished ? `reset.done.${last.scope}` : 'reset.unfinished'));
  }

  #draw(): void {
    const doc = this.#doc;
    if (doc === null) return;
    const props = {
      doc,
      now: Date.now(),
      reachable: this.#reachable,
      asked: this.#asked?.scope ?? null,
      ordered: this.#asked?.ordered === true,
      silent: this.#awaySince !== null && Date.now() - this.#awaySince >= silentMs,
    };
    redraw(this, String(ResetView(props)));
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-reset]')))
      button.disabled = button.dataset['off'] === '1' || this.#asking;
    const cancel = this.querySelector<HTMLButtonElement>('[data-cancel]');
    if (cancel !== null) cancel.disabled = !this.#reachable;
    // What stands above the line may have come or gone, and the line is then a new one.
    if (this.#said.words !== '' && this.querySelector('[data-said]')?.textContent === '') this.#show();
  }

  #show(): void {
    note(this.querySelector('[data-said]'), this.#said.words, this.#said.refused);
  }

  #say(words: string, refused = false): void {
    this.#said = { words, refused };
    this.#show();
  }

  /** Cancels a reset that the disk refused. */
  async #cancel(): Promise<void> {
    const sent = await send(`${path}/cancel`, {});
    await this.#read();
    this.#say(sent.ok ? t('reset.cancelled') : t('controls.failed', { reason: sent.reason }), !sent.ok);
  }

  async #begin(scope: ResetScope): Promise<void> {
    const doc = this.#doc;
    if (doc === null || underWay({ doc, asked: this.#asked?.scope ?? null }) !== null) return;
    const list = comesBack(doc, scope);
    const agreed = await askPerson('reset-question', {
      title: t(`reset.ask.${scope}`),
      texts: [
        ...(doc.entities === 0 ? [] : [t('reset.ask_entities', { count: doc.entities })]),
        t(`reset.ask_goes.${scope}`),
        ...(list === '' ? [] : [t('reset.comes_back_in', { list })]),
        t('reset.ask_restart'),
      ],
      yes: t(`reset.do.${scope}`),
    });
    if (agreed) await this.#reset(scope, false);
  }

  async #reset(scope: ResetScope, withoutBroker: boolean): Promise<void> {
    this.#say('');
    const before = this.#doc?.last?.at ?? 0;
    this.#asked = { scope, before, ordered: false };
    this.querySelector('[data-choices]')?.removeAttribute('open');
    this.#draw();
    // The button may be screens below the message.
    window.scrollTo(0, 0);
    announce(t(`reset.under_way.${scope}`));
    const line = (): Element | null => {
      // Nothing is under way yet.
      this.#asked = null;
      this.#asking = true;
      this.#draw();
      return this.querySelector('[data-said]');
    };
    const body = { scope, confirm: true, ...(withoutBroker && { without_broker: true }) };
    const sent = await send(path, body, { beside: { line } });
    this.#asking = false;
    if (sent.ok) {
      this.#asked = { scope, before, ordered: true };
      return this.#read();
    }
    this.#asked = null;
    this.#draw();
    if (sent.error === 'entities-left' && !withoutBroker) {
      const agreed = await askPerson('reset-question', {
        title: t('reset.ask_left'),
        texts: [sent.reasons['without_broker'] ?? '', t('reset.ask_left_help')].filter((text) => text !== ''),
        yes: t('reset.do_left'),
      });
      if (agreed) return this.#reset(scope, true);
    }
    this.#say(whyNot(sent), true);
    return this.#read();
  }
}
