import type { StatusDocument } from '#machines/status.ts';
import { hasKeyboard } from '../parts/keyboard.ts';
import { isPending, mayWait, type SetupStage, setupStages } from '../parts/setup-steps.tsx';
import { t } from '../strings/t.ts';
import type { SconceAddress } from './address.ts';
import { AddressMarks } from './address-marks.ts';
import { announceIn } from './announce.ts';
import type { AskedBeside } from './approval.ts';
import { type Choice, SetupChoices } from './setup-choices.ts';
import { startPasswordToggle } from './password-toggle.ts';
import { forgive, refuse } from './refusal.ts';
import { ask, send, type Sent, whyNot } from './send.ts';
import { onStatus } from './stream.ts';
import { offerBrokerBeside } from './setup-broker-offer.ts';
import { SetupEnd } from './setup-end.ts';
import { scrollToCard } from './setup-focus.ts';
import { SetupForms } from './setup-forms.ts';
import { returnToSetup } from './setup-return.ts';
import { keepTyped, restoreTyped } from './typed-address.ts';

type Setup = NonNullable<StatusDocument['setup']>;

/** A place on the page: a step, or the end. */
type Place = SetupStage | 'finish';

const isStage = (text: string): text is SetupStage => (setupStages as readonly string[]).includes(text);

/** How long the browser may take to go back to the page that the sign-in began on, in milliseconds. */
const RETURN_MS = 2_000;

/** The guided setup: one step open at a time, each with its own save button; the status decides which opens next. */
export class SconceSetup extends HTMLElement {
  #setup: Setup | null = null;
  #open: Place | null = null;
  /** True if a person opened the step: then it stays open until they are done. */
  #byHand = false;
  /** The pending request. */
  #running: { readonly place: Place; readonly done: Promise<Sent> } | null = null;
  readonly #choices = new SetupChoices(this);
  /** The step that was just put off; another one that was put off stays open while a person works on it. */
  #putOffNow: Place | null = null;
  readonly #marks = new AddressMarks(this);
  readonly #end = new SetupEnd(this);
  readonly #forms = new SetupForms({
    page: this,
    run: (place, doing, act) => this.#run(place, doing, act),
    refuse: (reasons) => this.#refuse(reasons),
    say: (place, words) => this.#say(place, words),
    release: () => void (this.#byHand = false),
    isBrokerDone: () => this.#step('broker')?.status === 'done',
  });

  connectedCallback(): void {
    // Where the browser does not go back after all, this page is as good.
    if (returnToSetup()) window.setTimeout(() => this.#start(), RETURN_MS);
    else this.#start();
  }

  #start(): void {
    this.classList.add('is-guided');
    for (const control of Array.from(this.querySelectorAll<HTMLButtonElement>('button[disabled]')))
      control.disabled = false;
    this.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return;
      /** The value of an attribute of what was clicked; null without one. */
      const of = (name: string): string | null => target.closest(`[${name}]`)?.getAttribute(name) ?? null;
      if (target.closest('.setup-head') !== null) this.#toggle(of('data-stage') ?? '');
      const later = of('data-later');
      if (later !== null) void this.#putOff(later);
      const chosen = of('data-path');
      if (chosen !== null) void this.#choose('home_dashboard', chosen);
      const filter = of('data-filter');
      if (filter !== null) void this.#choose('entity_filter', filter === 'true');
      if (of('data-check') !== null) void this.#check();
      const freeId = of('data-free-id');
      if (freeId !== null) void this.#forms.takeId(freeId);
      const next = of('data-go') ?? '';
      if (isStage(next)) {
        this.#show(next, true);
        this.#byHand = true;
      }
    });
    this.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest('.is-refused') !== null) this.#refuse({});
      keepTyped(this, target);
      if (target.name === 'friendly_name') this.#forms.followName(target.value.trim());
    });
    const probes = new MutationObserver((changes) => {
      for (const { target } of changes) this.#noteProbe(target);
    });
    for (const line of Array.from(this.querySelectorAll('[data-probed]')))
      probes.observe(line, { childList: true, attributes: true });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      const form = event.target instanceof HTMLElement ? event.target.dataset['save'] : undefined;
      if (form === 'identity') void this.#forms.saveIdentity();
      if (form === 'home_assistant') void this.#forms.signIn();
      if (form === 'broker') void this.#forms.connect();
    });
    restoreTyped(this);
    startPasswordToggle(this);
    const asked = window.location.hash.replace(/^#step-/, '');
    if (isStage(asked)) {
      this.#open = asked;
      this.#byHand = true;
      this.#draw();
      this.#prepare(asked);
    }
    onStatus((status) => {
      // Set on the panel's own screen only, where nothing can be typed without a keyboard.
      const { keyboard } = this.dataset;
      if (keyboard !== undefined && keyboard !== String(hasKeyboard(status))) window.location.reload();
      const all = this.querySelector<HTMLElement>('[data-later=""]');
      if (all !== null) all.hidden = !mayWait(status);
      const finish = this.#card('finish')?.classList;
      const wasPending = finish?.contains('is-pending') === true;
      finish?.toggle('is-pending', isPending(status));
      this.#follow(status.setup);
      // The scroll position was computed while the step was one line high.
      if (wasPending && !isPending(status) && this.#open === 'finish') this.#lead('finish', true);
      this.#marks.follow(status);
      this.#end.follow(status, this.#open === 'finish');
    });
  }

  /** The latest message about an address replaces the earlier one. */
  #noteProbe(line: Node): void {
    const stage = line.parentElement?.closest<HTMLElement>('[data-stage]')?.dataset['stage'] ?? '';
    if (this.#running !== null || !isStage(stage) || !(line instanceof Element)) return;
    this.#say(stage, '');
    this.#marks.probed(stage, line);
  }

  #step(stage: SetupStage): Setup['steps'][number] | undefined {
    return this.#setup?.steps.find((step) => step.stage === stage);
  }

  #card(place: Place): HTMLElement | null {
    return this.querySelector<HTMLElement>(`#step-${place}`);
  }

  #say(place: Place, words: string): void {
    announceIn(this.#card(place)?.querySelector('[data-said]') ?? null, words);
  }

  /** Where to continue: the first step that needs a person, else one in progress, else the end. */
  #due({ steps }: Setup): Place {
    const open =
      steps.find(({ status }) => status === 'needs_you') ?? steps.find(({ status }) => status === 'checking');
    return open?.stage ?? 'finish';
  }

  #follow(setup: Setup | null): void {
    if (setup === null || setup.steps.length === 0) return;
    this.#setup = setup;
    for (const step of setup.steps) {
      const card = this.#card(step.stage);
      if (card !== null) card.hidden = step.status === 'not_here';
      card?.classList.toggle('is-blocked', step.status === 'blocked');
      this.#choices.mark(step.stage, step.status === 'done');
    }
    const obstacle = this.querySelector<HTMLElement>('[data-obstacle]');
    if (obstacle !== null) obstacle.hidden = this.#step('renderer')?.status !== 'needs_you';
    const due = setup.put_off ? 'finish' : this.#due(setup);
    for (const stage of setupStages) this.#card(stage)?.classList.toggle('is-due', stage === due);
    const current = this.#open;
    const status = current === null || current === 'finish' ? null : (this.#step(current)?.status ?? null);
    // A step opened by hand stays open until its change has taken effect.
    const isAtWork =
      status === 'needs_you' ||
      status === 'checking' ||
      (status === 'put_off' && current !== this.#putOffNow) ||
      (current === 'finish' && setup.put_off);
    const isOver = !isAtWork && (status === null || !this.#byHand);
    if (isOver) this.#show(this.#due(setup), current !== null);
    if (current === 'broker' && (status === 'done' || status === 'needs_you'))
      this.#forms.settle(status, this.#running !== null);
  }

  #show(place: Place, isLed: boolean): void {
    if (place === this.#open && !isLed) return;
    const changed = place !== this.#open;
    const isFirst = this.#open === null;
    if (changed) {
      this.#byHand = false;
      this.#putOffNow = null;
    }
    this.#open = place;
    this.#draw();
    this.#prepare(place);
    if (changed && !isFirst) this.#lead(place, isLed);
  }

  /** Scrolls a place into view; with `isLed`, also focuses it. */
  #lead(place: Place, isLed: boolean): void {
    scrollToCard(this.#card(place), isLed);
  }

  #draw(): void {
    for (const stage of setupStages) {
      const isOpen = stage === this.#open;
      this.#card(stage)?.classList.toggle('is-open', isOpen);
      this.#card(stage)?.querySelector('.setup-head')?.setAttribute('aria-expanded', String(isOpen));
    }
    const hasDevice = this.querySelector('[data-device]:not([hidden])') !== null;
    this.querySelector('[data-home]')?.classList.toggle('primary', this.#open === 'finish' && !hasDevice);
  }

  #toggle(stage: string): void {
    if (!isStage(stage)) return;
    if (this.#open === stage) {
      if (this.#setup !== null && this.#due(this.#setup) !== stage) this.#show(this.#due(this.#setup), false);
      return;
    }
    this.#show(stage, false);
    this.#byHand = true;
  }

  /** Runs one request at a time and shows its progress, or why it failed; nothing typed is lost. */
  async #run(place: Place, doing: string, act: (beside: AskedBeside) => Promise<Sent>): Promise<Sent | null> {
    // A double press in a step counts once; the status may open the next step before the answer arrives.
    while (this.#running !== null) {
      if (this.#running.place === place) return null;
      await this.#running.done;
    }
    this.#card(place)?.querySelector<SconceAddress>('sconce-address')?.drop();
    this.#marks.clear(place);
    this.#say(place, doing);
    const line = (): Element | null => this.#card(place)?.querySelector('[data-said]') ?? null;
    this.#running = { place, done: act({ line }) };
    const sent = await this.#running.done;
    this.#running = null;
    this.#refuse(sent.ok ? {} : sent.reasons);
    const isNamed = !sent.ok && Object.keys(sent.reasons).some((name) => this.querySelector(`[data-field=${name}]`));
    this.#say(place, sent.ok || isNamed ? '' : whyNot(sent));
    return sent;
  }

  #refuse(reasons: Readonly<Record<string, string>>): void {
    let first: HTMLElement | null = null;
    this.#marks.forget();
    for (const field of Array.from(this.querySelectorAll<HTMLElement>('.field'))) {
      const reason = reasons[field.dataset['field'] ?? ''];
      const control = reason === undefined ? null : refuse(field, reason);
      if (reason === undefined) forgive(field);
      first ??= control;
    }
    first?.focus({ preventScroll: true });
    // Include the label, which the header would cover.
    first?.closest('.field')?.scrollIntoView({ block: 'center' });
  }

  async #check(): Promise<void> {
    await this.#run('renderer', t('form.checking_machine'), () => ask('/api/v1/status?refresh=1'));
  }

  async #putOff(stage: string): Promise<void> {
    const sent = await this.#run(isStage(stage) ? stage : 'finish', t('form.saving'), () => {
      this.#byHand = false;
      if (isStage(stage)) this.#putOffNow = stage;
      if (stage === '') return send('/api/v1/setup/attest', { answer: 'later' });
      return send('/api/v1/setup/attest', { stage, answer: 'later' });
    });
    // Stay on this page, which says what is left and where to find it.
    if (sent?.ok === true && stage === '') this.#show('finish', true);
  }

  /** Requests what an open step offers. */
  #prepare(place: Place): void {
    if (place === 'home_dashboard') void this.#offerDashboards();
    if (place === 'broker') void offerBrokerBeside(this);
  }

  async #offerDashboards(): Promise<void> {
    const status = this.#step('home_dashboard')?.status;
    if (status !== 'blocked')
      await this.#choices.offer(status === 'done', (words) => this.#say('home_dashboard', words));
  }

  async #choose(stage: Choice, value: string | boolean): Promise<void> {
    await this.#run(stage, t('form.saving'), async (beside) => {
      const saved = await this.#choices.save(stage, value, beside);
      this.#byHand = false;
      return saved.ok ? send(`/api/v1/setup/${stage.replace('_', '-')}`, { answer: 'done' }) : saved;
    });
  }
}
