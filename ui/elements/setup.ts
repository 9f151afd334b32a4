import type { StatusDocument } from '#machines/status.ts';
import { isPending, mayWait, type SetupStage, setupStages } from '../parts/setup-steps.tsx';
import { t } from '../strings/t.ts';
import { AddressMarks } from './address-marks.ts';
import { announceIn } from './announce.ts';
import { type Choice, SetupChoices } from './setup-choices.ts';
import { hidePassword, startPasswordToggle } from './password-toggle.ts';
import { IdFollower } from './id-follower.ts';
import { note } from './note.ts';
import { forgive, refuse } from './refusal.ts';
import { ask, send, type Sent } from './send.ts';
import { onStatus } from './stream.ts';
import { scrollToCard, focusRefusedField, leaveToSignIn } from './setup-focus.ts';
import { announceEntity, announceUser } from './setup-announce.ts';
import { keepTyped, restoreTyped } from './typed-address.ts';

type Setup = NonNullable<StatusDocument['setup']>;

/** A place on the page: a step, or the end. */
type Place = SetupStage | 'finish';

const isStage = (text: string): text is SetupStage => (setupStages as readonly string[]).includes(text);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How long to wait after a save before a refusal or silence is reported, in milliseconds. */
const connectMs = 20_000;

/** The guided setup: one step open at a time, each with its own save button; the status decides which opens next. */
export class SconceSetup extends HTMLElement {
  #setup: Setup | null = null;
  #open: Place | null = null;
  /** True if a person opened the step: then it stays open until they are done. */
  #byHand = false;
  /** The pending request. */
  #running: { readonly place: Place; readonly done: Promise<Sent> } | null = null;
  readonly #choices = new SetupChoices(this);
  #hasEntity = false;
  #waiting: number | undefined;
  /** The step that was just put off; another one that was put off stays open while a person works on it. */
  #putOffNow: Place | null = null;
  readonly #id = new IdFollower();
  readonly #marks = new AddressMarks(this);

  connectedCallback(): void {
    this.classList.add('is-guided');
    for (const control of Array.from(this.querySelectorAll<HTMLButtonElement>('button[disabled]')))
      control.disabled = false;
    this.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const head = target?.closest<HTMLElement>('.setup-head');
      if (head) this.#toggle(head.closest<HTMLElement>('[data-stage]')?.dataset['stage'] ?? '');
      const later = target?.closest<HTMLElement>('[data-later]');
      if (later) void this.#putOff(later);
      const chosen = target?.closest<HTMLElement>('[data-path]');
      if (chosen) void this.#choose('home_dashboard', chosen.dataset['path'] ?? '');
      const filter = target?.closest<HTMLElement>('[data-filter]');
      if (filter) void this.#choose('entity_filter', filter.dataset['filter'] === 'true');
      if (target?.closest('[data-check]')) void this.#check();
      const next = target?.closest<HTMLElement>('[data-go]')?.dataset['go'] ?? '';
      if (isStage(next)) {
        this.#show(next, true);
        this.#byHand = true;
      }
    });
    this.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest('.is-refused') !== null) this.#refuse({});
      keepTyped(this, target);
      if (target.name === 'friendly_name') this.#followName(target.value.trim());
    });
    const probes = new MutationObserver((changes) => {
      for (const { target } of changes) this.#noteProbe(target);
    });
    for (const line of Array.from(this.querySelectorAll('[data-probed]')))
      probes.observe(line, { childList: true, attributes: true });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      const form = event.target instanceof HTMLElement ? event.target.dataset['save'] : undefined;
      if (form === 'identity') void this.#saveIdentity();
      if (form === 'home_assistant') void this.#signIn();
      if (form === 'broker') void this.#connect();
    });
    restoreTyped(this);
    startPasswordToggle(this);
    const asked = window.location.hash.replace(/^#step-/, '');
    if (isStage(asked)) {
      this.#open = asked;
      this.#byHand = true;
      this.#draw();
      if (asked === 'home_dashboard') void this.#offerDashboards();
    }
    onStatus((status) => {
      const all = this.querySelector<HTMLElement>('[data-later=""]');
      if (all !== null) all.hidden = !mayWait(status);
      const finish = this.#card('finish')?.classList;
      const wasPending = finish?.contains('is-pending') === true;
      finish?.toggle('is-pending', isPending(status));
      this.#follow(status.setup);
      // The scroll position was computed while the step was one line high.
      if (wasPending && !isPending(status) && this.#open === 'finish') this.#lead('finish', true);
      this.#marks.follow(status);
      void this.#showUser(status);
    });
  }

  /** The latest message about an address replaces the earlier one. */
  #noteProbe(line: Node): void {
    const stage = line.parentElement?.closest<HTMLElement>('[data-stage]')?.dataset['stage'] ?? '';
    if (this.#running !== null || !isStage(stage) || !(line instanceof Element)) return;
    this.#say(stage, '');
    this.#marks.probed(stage, line);
  }

  /** True if the panel's id follows its name: until a broker is entered or knows the panel. */
  #isUnknown(): boolean {
    return this.dataset['free'] === '1' && this.dataset['broker'] === '' && this.#step('broker')?.status !== 'done';
  }

  #followName(name: string): void {
    if (!this.#isUnknown()) return;
    this.#id.follow(name === this.dataset['name'] ? '' : name, (id) => this.#sayId(id));
  }

  #sayId(id: string): void {
    const shown = id === '' ? (this.dataset['id'] ?? '') : id;
    const words = this.#isUnknown() ? 'setup.identity.help' : 'setup.identity.kept';
    announceIn(this.querySelector('#help-friendly_name'), t(words, { id: shown }));
  }

  #step(stage: SetupStage): Setup['steps'][number] | undefined {
    return this.#setup?.steps.find((step) => step.stage === stage);
  }

  #card(place: Place): HTMLElement | null {
    return this.querySelector<HTMLElement>(`#step-${place}`);
  }

  #value(name: string): string {
    return this.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
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
    if (status === 'done' || status === 'needs_you') this.#settle(current, status);
    if (setup.complete) void this.#showEntity(setup.seen);
  }

  /** Clears the message about a connection that succeeded or was refused: the sentence above covers it. */
  #settle(place: Place | null, status: 'done' | 'needs_you'): void {
    if (place !== 'broker' || this.#waiting === undefined) return;
    if (status === 'needs_you' && this.#running !== null) return;
    window.clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#say('broker', '');
    // After its field is marked; a refused sign-in is shown above it.
    if (status === 'needs_you') queueMicrotask(() => focusRefusedField(this.#card('broker')));
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
    if (place === 'home_dashboard') void this.#offerDashboards();
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
    this.querySelector('[data-home]')?.classList.toggle('primary', this.#open === 'finish');
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
  async #run(place: Place, doing: string, act: () => Promise<Sent>): Promise<Sent | null> {
    // A double press in a step counts once; the status may open the next step before the answer arrives.
    while (this.#running !== null) {
      if (this.#running.place === place) return null;
      await this.#running.done;
    }
    const probed = this.#card(place)?.querySelector('[data-probed]') ?? null;
    note(probed, '');
    this.#marks.clear(place);
    this.#say(place, doing);
    this.#running = { place, done: act() };
    const sent = await this.#running.done;
    this.#running = null;
    this.#refuse(sent.ok ? {} : sent.reasons);
    const isNamed = !sent.ok && Object.keys(sent.reasons).some((name) => this.querySelector(`[data-field=${name}]`));
    this.#say(place, sent.ok || isNamed ? '' : t('controls.failed', { reason: sent.reason }));
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

  async #saveIdentity(): Promise<void> {
    const name = this.#value('friendly_name');
    if (name === '') {
      this.#refuse({ friendly_name: t('setup.identity.missing') });
      return;
    }
    await this.#run('identity', t('form.saving'), async () => {
      const isNew = name !== this.dataset['name'];
      if (isNew) {
        // Until the panel is known anywhere, its id follows the name; a name without usable letters leaves the id
        // unchanged.
        const isUnknown = this.#isUnknown();
        let saved = await send('/api/v1/config', { friendly_name: name, ...(isUnknown && { panel_id: name }) });
        if (!saved.ok && isUnknown && 'panel_id' in saved.reasons)
          saved = await send('/api/v1/config', { friendly_name: name });
        if (!saved.ok) return saved;
        this.dataset['name'] = name;
        this.#id.drop();
        this.dataset['id'] = text(saved.body['panel_id']);
        this.#sayId('');
      }
      this.#byHand = false;
      return send('/api/v1/setup/identity', { answer: 'done' });
    });
  }

  async #signIn(): Promise<void> {
    const address = this.#value('ha_url');
    if (address === '') {
      this.#refuse({ ha_url: t('signing.missing') });
      return;
    }
    const sent = await this.#run('home_assistant', t('signing.going'), () =>
      send('/api/v1/ha/oauth/start', { ha_url: address }),
    );
    if (sent === null) return;
    if (!sent.ok) {
      // The latest message about the address is shown beside it, like that of a check.
      if (sent.error !== 'bad-address' && sent.error !== 'address-loops-back') return;
      note(this.#card('home_assistant')?.querySelector('[data-probed]') ?? null, sent.reason, true);
      this.querySelector<HTMLInputElement>('[name=ha_url]')?.focus();
      return;
    }
    const url = text(sent.body['authorization_url']);
    if (url !== '') leaveToSignIn(url);
  }

  async #connect(): Promise<void> {
    const password = this.querySelector<HTMLInputElement>('[name=mqtt_password]');
    const address = this.#value('mqtt_broker');
    if (address === '') {
      this.#refuse({ mqtt_broker: t('setup.broker.missing') });
      return;
    }
    // User and password are saved together with the address shown, in one request.
    const sent = await this.#run('broker', t('form.saving'), () =>
      send('/api/v1/config', {
        mqtt_broker: address,
        mqtt_user: this.#value('mqtt_user'),
        ...(password !== null && password.value !== '' && { mqtt_password: password.value }),
      }),
    );
    if (sent === null || !sent.ok) return;
    this.dataset['broker'] = address;
    this.#sayId('');
    if (password !== null) password.value = '';
    hidePassword(this);
    this.#byHand = false;
    this.#say('broker', t('setup.broker.connecting'));
    window.clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(() => {
      this.#waiting = undefined;
      this.#say('broker', '');
    }, connectMs);
  }

  async #check(): Promise<void> {
    await this.#run('renderer', t('form.checking_machine'), () => ask('/api/v1/status?refresh=1'));
  }

  async #putOff(button: HTMLElement): Promise<void> {
    const stage = button.dataset['later'] ?? '';
    const sent = await this.#run(isStage(stage) ? stage : 'finish', t('form.saving'), () => {
      this.#byHand = false;
      if (isStage(stage)) this.#putOffNow = stage;
      if (stage === '') return send('/api/v1/setup/attest', { answer: 'later' });
      return send('/api/v1/setup/attest', { stage, answer: 'later' });
    });
    // Stay on this page, which says what is left and where to find it.
    if (sent?.ok === true && stage === '') this.#show('finish', true);
  }

  async #offerDashboards(): Promise<void> {
    const status = this.#step('home_dashboard')?.status;
    if (status !== 'blocked')
      await this.#choices.offer(status === 'done', (words) => this.#say('home_dashboard', words));
  }

  async #choose(stage: Choice, value: string | boolean): Promise<void> {
    await this.#run(stage, t('form.saving'), async () => {
      const saved = await this.#choices.save(stage, value);
      this.#byHand = false;
      return saved.ok ? send(`/api/v1/setup/${stage.replace('_', '-')}`, { answer: 'done' }) : saved;
    });
  }

  /** Names the entity that Home Assistant lists; it is not in the status, so it is requested. */
  async #showEntity(isSeen: boolean): Promise<void> {
    if (!isSeen || this.#hasEntity) return;
    this.#hasEntity = true;
    this.#hasEntity = await announceEntity(this.querySelector<HTMLElement>('[data-entity]'));
  }

  /** Names the signed-in user, which is known a moment after the sign-in. */
  async #showUser({ sign_in: signIn }: StatusDocument): Promise<void> {
    const line = this.querySelector<HTMLElement>('[data-who]');
    const isIn = signIn?.phase === 'signed-in';
    if (!isIn) announceIn(line, '');
    if (isIn && signIn.administrator !== null && line?.textContent?.trim() === '') await announceUser(line);
  }
}
