import type { CompanionDocument, Moved } from '#machines/companion/document.ts';
import { companionVerdict } from '../parts/companion-verdict.ts';
import { CompanionView } from '../parts/companion-view.tsx';
import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { redraw } from './morph.ts';
import { note, noteOf } from './note.ts';
import { askPerson } from './question.ts';
import { ask, type Refused, send, whyNot } from './send.ts';
import { latestStatus, onLink, onStatus } from './stream.ts';

const path = '/api/v1/companion';
const QUESTION = 'companion-question';
/** How often the steps of a move are read, in milliseconds. */
const MOVING_MS = 1000;

/** Refusals after which a person may let things stay at the broker. */
const leaving: ReadonlySet<string> = new Set(['broker-away', 'broker-silent', 'publisher-busy']);

/** What Home Assistant and the panel say of a move, one sentence each. */
function sentencesOf({ list, notes }: Moved): readonly string[] {
  const names = (key: 'companion.move_automations' | 'companion.move_scripts', all: readonly string[]): string[] =>
    all.length === 0 ? [] : [t(key, { names: all.join(', ') })];
  return [
    ...(list === null || list.entities === 0 ? [] : [t('companion.move_keeps', { count: list.entities })]),
    ...notes,
    ...names('companion.move_automations', list?.automations ?? []),
    ...names('companion.move_scripts', list?.scripts ?? []),
  ];
}

/** Who is paired with this panel, and the way of the entities. */
export class SconceCompanion extends HTMLElement {
  #companion: CompanionDocument | undefined;
  #timer: number | undefined;
  #isMoving = false;

  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const revoke = closest(event, 'button[data-revoke]');
      if (revoke !== null) void this.#revoke(revoke);
      const move = closest(event, 'button[data-move]');
      if (move !== null && move.getAttribute('aria-disabled') !== 'true') void this.#move(move);
    });
    onLink(() => void this.#read());
    onStatus(() => void this.#read(), ['companion', 'capabilities']);
    void this.#read();
  }

  async #read(): Promise<void> {
    const answer = await ask(path);
    if (!answer.ok) return;
    // The route's schema guarantees this type.
    this.#companion = answer.body as unknown as CompanionDocument;
    this.#draw();
    window.clearTimeout(this.#timer);
    if (this.#isMoving || this.#companion.moving !== null)
      this.#timer = window.setTimeout(() => void this.#read(), MOVING_MS);
  }

  #draw(): void {
    const status = latestStatus();
    if (this.#companion === undefined) return;
    const verdict = status === undefined ? null : companionVerdict(status);
    redraw(this, String(CompanionView({ companion: this.#companion, verdict, now: Date.now(), isLive: true })));
  }

  async #revoke(button: HTMLElement): Promise<void> {
    const { revoke: keyId = '', name = '' } = button.dataset;
    const isLast = this.#companion?.surface === 'native' && this.#companion.clients.length === 1;
    const agreed = await askPerson(QUESTION, {
      title: t('companion.revoke_ask', { name }),
      texts: [t('companion.revoke_text'), ...(isLast ? [t('companion.revoke_last')] : [])],
      yes: t('companion.revoke'),
    });
    if (!agreed) return;
    const line = noteOf(button);
    const sent = await send(`${path}/revoke`, { key_id: keyId }, { beside: { line: () => line, button } });
    note(line, sent.ok ? t('companion.revoked') : whyNot(sent), !sent.ok);
    await this.#read();
  }

  async #move(button: HTMLElement): Promise<void> {
    const to = button.dataset['move'] === 'mqtt' ? 'mqtt' : 'native';
    const line = noteOf(button);
    note(line, t('companion.move_looking'));
    const looked = await send(`${path}/move`, { to, dry_run: true });
    if (!looked.ok) return note(line, whyNot(looked), true);
    note(line, '');
    // As above.
    const agreed = await askPerson(QUESTION, {
      title: t(`companion.move_ask.${to}`),
      texts: sentencesOf(looked.body as unknown as Moved),
      yes: t('companion.move_yes'),
    });
    if (agreed) await this.#carryOut(button, { to });
    return undefined;
  }

  async #carryOut(button: HTMLElement, body: { readonly to: string; readonly leave?: true }): Promise<void> {
    const line = noteOf(button);
    note(line, t('companion.move_moving'));
    this.#isMoving = true;
    void this.#read();
    const sent = await send(`${path}/move`, body, { beside: { line: () => line, button } });
    this.#isMoving = false;
    if (!sent.ok && leaving.has(sent.error) && body.leave !== true) await this.#leave(button, body.to, sent);
    else note(line, sent.ok ? this.#endOf(sent.body as unknown as Moved) : whyNot(sent), !sent.ok);
    await this.#read();
  }

  /** Asks whether the entities may move although they cannot be withdrawn. */
  async #leave(button: HTMLElement, to: string, refused: Refused): Promise<void> {
    const agreed = await askPerson(QUESTION, {
      title: t('companion.leave_ask'),
      texts: [refused.reason, t('companion.leave_text')],
      yes: t('companion.leave_yes'),
    });
    if (agreed) await this.#carryOut(button, { to, leave: true });
    else note(noteOf(button), whyNot(refused), true);
  }

  #endOf({ status, applied }: Moved): string {
    if (status === 'unchanged') return t('companion.unchanged');
    return t(applied === false ? 'companion.moved_unapplied' : 'companion.moved');
  }
}
