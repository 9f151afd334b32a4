import { chosenFor, chosenKeys } from '../parts/form-item.ts';
import { t } from '../strings/t.ts';
import { announce } from './announce.ts';
import { checkSetting } from './check-setting.ts';
import { markChanged } from './mark-changed.ts';
import { PanelId } from './panel-id.ts';
import { forgive, refuse } from './refusal.ts';
import { type BarWords, saveBar } from './save-bar.ts';
import { saveFollower } from './save-follower.ts';
import { SconceSecret } from './secret.ts';
import { ask, type Refused, send } from './send.ts';
import { CLICK_MS, afterPointerRelease } from './after-pointer-release.ts';
import { latestStatus, onStatus } from './stream.ts';

type Value = string | number | boolean | null;
type Control = HTMLInputElement | HTMLSelectElement;

/** How long the bar shows a success, in milliseconds. */
const PRAISE_MS = 10_000;
/** Sent for text that the browser does not parse as a number; the panel refuses it in its own words. */
const NO_NUMBER = '?';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

function shown(control: Control): Value {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked;
  if (control instanceof HTMLInputElement && control.type === 'number') {
    if (control.validity.badInput) return NO_NUMBER;
    return control.value === '' ? null : Number(control.value);
  }
  return control.value;
}

function show(control: Control, value: unknown): void {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value === true;
  else control.value = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Every control except those inside a secret, which handle themselves. */
const controlsOf = (form: HTMLElement): readonly Control[] =>
  Array.from(form.querySelectorAll<Control>('input[name],select[name]')).filter(
    (control) => control.closest('sconce-secret') === null,
  );

const secretsOf = (form: HTMLElement): readonly (readonly [string, SconceSecret])[] =>
  Array.from(form.querySelectorAll('sconce-secret')).flatMap((element) => {
    const name = element.querySelector('input')?.name;
    return element instanceof SconceSecret && name !== undefined ? [[name, element] as const] : [];
  });

/** The address that each secret is sent to. */
const addressOf: Readonly<Record<string, string>> = { mqtt_password: 'mqtt_broker', ha_token: 'ha_url' };

/** The settings form: marks changes, saves only those, keeps them if saving fails, and asks before they are lost. */
export class SconceSettings extends HTMLElement {
  readonly #stored = new Map<string, Value>();
  readonly #bar = saveBar(this);
  readonly #panelId = new PanelId(this);
  readonly #follower = saveFollower((outcome) => {
    const more = outcome.words === '' ? this.#besides : outcome.words;
    const words = more === '' ? t('form.saved') : t('form.saved_and', { words: more });
    this.#mark({ words, isBad: outcome.kind === 'failed', href: outcome.href });
    if (outcome.kind === 'done') this.#praise();
  });
  /** What the panel said of the last save beyond the number of changed values. */
  #besides = '';
  #revision = 0;
  #saving = false;
  #praised: number | undefined;

  connectedCallback(): void {
    this.#name();
    this.#revision = Number(this.dataset['revision']);
    for (const control of controlsOf(this)) this.#stored.set(control.name, shown(control));
    for (const kind of ['input', 'change']) {
      this.addEventListener(kind, (event) => {
        const field = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-field]') : null;
        if (field !== null) this.#forgive(field);
        this.#mark();
      });
    }
    this.addEventListener('focusout', ({ target }) => {
      const control = controlsOf(this).find((one) => one === target);
      if (control !== undefined) window.setTimeout(() => void this.#check(control), CLICK_MS);
    });
    this.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#save();
    });
    this.querySelector('[data-discard]')?.addEventListener('click', () => this.#discard());
    this.addEventListener('click', (event) => {
      const undo = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-undo]') : null;
      if (undo !== null) this.#undo(undo.dataset['undo'] ?? '');
    });
    window.addEventListener('beforeunload', (event) => {
      if (Object.keys(this.#changes()).length === 0) return;
      event.preventDefault();
      // Chromium before 119 asks only if `returnValue` is set.
      event.returnValue = true;
    });
    onStatus((status) => {
      this.#showChosen();
      if (status.configuration.revision > this.#revision && !this.#saving)
        void this.#refresh(status.configuration.revision);
    });
    this.#mark();
  }

  /** Labels each field and mark with its setting, and each mark with its action; the served page is lighter without. */
  #name(): void {
    for (const place of Array.from(this.querySelectorAll<HTMLElement>('.field,.expose'))) {
      const control = place.querySelector<Control>(place.matches('.field') ? '[id][name]' : '[name]');
      if (control === null) continue;
      place.dataset['field'] = control.name;
      place.title = control.ariaLabel ?? '';
    }
  }

  #field(key: string): HTMLElement | null {
    return this.querySelector(`[data-field="${key}"]`);
  }

  /** The fields that are judged together with this one. */
  #beside(field: HTMLElement): readonly HTMLElement[] {
    return (field.dataset['beside'] ?? '').split(' ').flatMap((key) => this.#field(key) ?? []);
  }

  /** Another value here may also be one that the fields beside it fit. */
  #forgive(field: HTMLElement): void {
    for (const one of [field, ...this.#beside(field)]) forgive(one);
  }

  /** What is entered in those fields, as a save would send it. */
  #enteredBeside(field: HTMLElement | null): Readonly<Record<string, string>> {
    const keys = field === null ? [] : this.#beside(field).map(({ dataset }) => dataset['field']);
    const controls = controlsOf(this).filter(({ name }) => keys.includes(name));
    return Object.fromEntries(controls.map((control) => [control.name, String(shown(control) ?? '')]));
  }

  #changes(): Readonly<Record<string, Value>> {
    const changes: Record<string, Value> = {};
    for (const control of controlsOf(this)) {
      const value = shown(control);
      if (value !== this.#stored.get(control.name)) changes[control.name] = value;
    }
    for (const [name, secret] of secretsOf(this)) {
      const { change } = secret;
      if (change.kind === 'clear') changes[name] = null;
      if (change.kind === 'replace') changes[name] = change.value;
    }
    return changes;
  }

  /** Addresses whose secret is being entered: the secret is meant for the address shown. */
  #meant(): ReadonlySet<string> {
    const entered = secretsOf(this).filter(([, { change }]) => change.kind === 'replace');
    return new Set(entered.map(([name]) => addressOf[name] ?? ''));
  }

  /** Marks the changed fields, and shows `told` or the number of unsaved changes. */
  #mark(announced: BarWords | null = null): void {
    window.clearTimeout(this.#praised);
    const changes = this.#changes();
    for (const field of Array.from(this.querySelectorAll<HTMLElement>('[data-field]')))
      markChanged(field, (field.dataset['field'] ?? '') in changes);
    this.#warnOfOld('mqtt_broker' in changes, 'mqtt_password');
    this.#warnOfOld('ha_url' in changes, 'ha_token');
    this.#bar.show(announced, Object.keys(changes).length, this.#saving);
  }

  /** A success message does not stay. */
  #praise(): void {
    this.#praised = window.setTimeout(() => this.#mark(), PRAISE_MS);
  }

  /** A credential is only sent to the address it was entered for: warns before the save that removes it. */
  #warnOfOld(moved: boolean, key: string): void {
    const warning = this.querySelector<HTMLElement>(`[data-old-recipient=${key}]`);
    const secret = secretsOf(this).find(([name]) => name === key)?.[1];
    if (warning !== null) warning.hidden = !moved || secret?.dataset['set'] !== '1' || secret.change.kind !== 'keep';
  }

  /** Shows in empty fields the values the panel chose. */
  #showChosen(): void {
    const status = latestStatus();
    if (status === undefined) return;
    for (const control of controlsOf(this))
      if (control instanceof HTMLInputElement && chosenKeys.includes(control.name))
        control.placeholder = chosenFor(control.name, this.#stored.get(control.name) !== '', status) ?? '';
  }

  /** Checks on blur whether the panel would accept the value. */
  async #check(control: Control): Promise<void> {
    const value = shown(control);
    const beside = this.#enteredBeside(this.#field(control.name));
    const isDefault = value === null && Object.keys(beside).length === 0;
    if (typeof value === 'boolean' || isDefault || value === this.#stored.get(control.name)) return;
    const checked = await checkSetting(control.name, String(value ?? ''), beside);
    if (checked === null || checked.ok) return;
    afterPointerRelease(() => {
      const field = this.#field(control.name);
      // After more typing or a save, the answer is about another value.
      if (field === null || this.#saving || shown(control) !== value || document.activeElement === control) return;
      if (field.classList.contains('is-refused')) return;
      refuse(field, checked.message);
      const refusal = field.querySelector('.refusal');
      announce(refusal?.textContent ?? '');
      // Do not scroll back if the reader has moved away.
      if (Math.abs(field.getBoundingClientRect().top) < window.innerHeight)
        refusal?.scrollIntoView({ block: 'nearest' });
    });
  }

  async #save(): Promise<void> {
    const changes = this.#changes();
    if (this.#saving || Object.keys(changes).length === 0) return;
    this.#saving = true;
    this.#follower.drop();
    const isMeant = !('panel_id' in changes) || (await this.#panelId.isMeant(String(changes['panel_id'] ?? '')));
    if (!isMeant) {
      this.#saving = false;
      this.#mark();
      return;
    }
    this.#mark({ words: t('form.saving') });
    // Another address may have been saved meanwhile; a secret only goes to the address its owner sees.
    const meant = this.#meant();
    const besides = controlsOf(this).filter(({ name }) => meant.has(name));
    const body = { ...Object.fromEntries(besides.map((control) => [control.name, shown(control)])), ...changes };
    const beside = { line: () => this.querySelector('[data-form-word]'), inForce: () => this.#inForce(changes) };
    const sent = await send('/api/v1/config', body, { beside });
    this.#saving = false;
    this.#refuse(sent.ok ? {} : sent.reasons);
    if (!sent.ok) {
      this.#mark({ words: this.#whyNot(sent), isBad: true });
      return;
    }
    for (const [key, value] of Object.entries(changes)) if (this.#stored.has(key)) this.#stored.set(key, value);
    for (const [name, secret] of secretsOf(this)) if (name in changes) secret.settle(changes[name] !== null);
    this.#adopt(sent.body);
    if (sent.body['status'] === 'no-op') {
      this.#mark({ words: t('form.same') });
      this.#praise();
      return;
    }
    this.#besides = String(sent.body['message']).replace(/^[^.]*\.\s*/, '');
    this.#follower.follow({ revision: Number(sent.body['revision']), keys: Object.keys(changes) });
  }

  /** The configuration in force once a save no longer waits at the panel; null if it was not carried out there. */
  async #inForce(changes: Readonly<Record<string, Value>>): Promise<Readonly<Record<string, unknown>> | null> {
    const answer = await ask('/api/v1/config');
    if (!answer.ok) return null;
    this.#adopt(answer.body);
    const settings = record(answer.body['settings']);
    // A credential cannot be read back.
    const isDone = Object.entries(changes).every(([key, value]) => this.#stored.has(key) && settings[key] === value);
    const revision = latestStatus()?.configuration.revision ?? this.#revision;
    return isDone ? { ...answer.body, status: 'saved', message: '', revision } : null;
  }

  #whyNot(sent: Refused): string {
    if (sent.error.startsWith('approval-')) return sent.reason;
    const count = Object.keys(sent.reasons).length;
    if (count > 0) return t('form.refused', { count });
    return t('form.not_saved', { reason: sent.reason.replace(/^Nothing was changed: /, '') });
  }

  /** Shows each refusal beside its field, and scrolls to the first. */
  #refuse(reasons: Readonly<Record<string, string>>): void {
    let first: HTMLElement | undefined;
    for (const field of Array.from(this.querySelectorAll<HTMLElement>('.field'))) {
      const reason = reasons[field.dataset['field'] ?? ''];
      if (reason === undefined) forgive(field);
      else first ??= refuse(field, reason) ?? undefined;
    }
    if (first === undefined) return;
    first.focus({ preventScroll: true });
    first.closest('.field')?.scrollIntoView({ block: 'center' });
  }

  /** Applies the configuration in force, except to fields the owner is changing. */
  #adopt(configuration: Readonly<Record<string, unknown>>): void {
    const settings = record(configuration['settings']);
    const exposed = record(configuration['ha_expose']);
    const meant = this.#meant();
    for (const control of controlsOf(this)) {
      if (meant.has(control.name)) continue;
      const value = control.name.startsWith('ha_expose_')
        ? exposed[control.name.slice('ha_expose_'.length)]
        : settings[control.name];
      if (value === undefined || shown(control) !== this.#stored.get(control.name)) continue;
      show(control, value);
      this.#stored.set(control.name, shown(control));
    }
    for (const [name, secret] of secretsOf(this)) {
      const set = configuration[`${name}_set`];
      if (typeof set === 'boolean' && secret.change.kind === 'keep' && secret.dataset['set'] !== (set ? '1' : '0'))
        secret.settle(set);
    }
    this.#panelId.show('');
    this.#showChosen();
  }

  async #refresh(revision: number): Promise<void> {
    this.#revision = revision;
    const had = Object.keys(this.#changes()).length > 0;
    const before = JSON.stringify([...this.#stored]);
    const answer = await ask('/api/v1/config');
    if (!answer.ok) return;
    this.#adopt(answer.body);
    if (had && JSON.stringify([...this.#stored]) !== before) this.#mark({ words: t('form.elsewhere') });
  }

  #undo(key: string): void {
    const control = controlsOf(this).find((candidate) => candidate.name === key);
    if (control !== undefined) {
      show(control, this.#stored.get(key));
      control.focus();
    }
    secretsOf(this)
      .find(([name]) => name === key)?.[1]
      .settle();
    const field = this.#field(key);
    if (field !== null) this.#forgive(field);
    if (key === 'panel_id') this.#panelId.show('');
    this.#mark();
  }

  #discard(): void {
    for (const control of controlsOf(this)) show(control, this.#stored.get(control.name));
    for (const [, secret] of secretsOf(this)) secret.settle();
    this.#refuse({});
    this.#panelId.show('');
    this.#mark();
  }
}
