import { t } from '../strings/t.ts';
import { say } from './announce.ts';
import { markChanged } from './mark-changed.ts';
import { SconceSecret } from './secret.ts';
import { ask, send, type Sent } from './send.ts';
import { onStatus } from './stream.ts';

type Value = string | number | boolean | null;
type Control = HTMLInputElement | HTMLSelectElement;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const shown = (control: Control): Value => {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked;
  if (control instanceof HTMLInputElement && control.type === 'number')
    return control.value === '' ? null : Number(control.value);
  return control.value;
};

const show = (control: Control, value: unknown): void => {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value === true;
  else control.value = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The form of settings: marks changes, saves only those, keeps them when saving fails, asks before they are lost. */
export class SconceSettings extends HTMLElement {
  readonly #stored = new Map<string, Value>();
  #revision = 0;
  #saving = false;

  connectedCallback(): void {
    this.#revision = Number(this.dataset['revision']);
    for (const control of this.#controls()) this.#stored.set(control.name, shown(control));
    for (const kind of ['input', 'change']) {
      this.addEventListener(kind, (event) => {
        if (event.target instanceof Element) this.#forgive(event.target.closest<HTMLElement>('[data-field]'));
        this.#mark('');
      });
    }
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
      // Chromium before 119 asks only when a value is set.
      event.returnValue = true;
    });
    onStatus((status) => {
      if (status.configuration.revision > this.#revision && !this.#saving)
        void this.#refresh(status.configuration.revision);
    });
    this.#mark('');
  }

  /** Every control but those inside a secret, which answer for themselves. */
  #controls(): readonly Control[] {
    return Array.from(this.querySelectorAll<Control>('input[name],select[name]')).filter(
      (control) => control.closest('sconce-secret') === null,
    );
  }

  #secrets(): readonly (readonly [string, SconceSecret])[] {
    return Array.from(this.querySelectorAll('sconce-secret')).flatMap((element) => {
      const name = element.querySelector('input')?.name;
      return element instanceof SconceSecret && name !== undefined ? [[name, element] as const] : [];
    });
  }

  #changes(): Readonly<Record<string, Value>> {
    const changes: Record<string, Value> = {};
    for (const control of this.#controls()) {
      const value = shown(control);
      if (value !== this.#stored.get(control.name)) changes[control.name] = value;
    }
    for (const [name, secret] of this.#secrets()) {
      const { change } = secret;
      if (change.kind === 'clear') changes[name] = null;
      if (change.kind === 'replace') changes[name] = change.value;
    }
    return changes;
  }

  /** Shows what is changed, and `words` or how much is unsaved. */
  #mark(words: string): void {
    const changes = this.#changes();
    const count = Object.keys(changes).length;
    for (const field of Array.from(this.querySelectorAll<HTMLElement>('[data-field]'))) {
      markChanged(field, (field.dataset['field'] ?? '') in changes);
    }
    this.#warnOfOld('mqtt_broker' in changes, 'mqtt_password');
    this.#warnOfOld('ha_url' in changes, 'ha_token');
    this.classList.toggle('has-changes', count > 0);
    this.classList.toggle('is-told', words !== '');
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-save],[data-discard]')))
      button.disabled = count === 0 || this.#saving;
    const usual = count === 0 ? t('form.no_changes') : t('form.changes', { count });
    say(this.querySelector('[data-form-word]'), words === '' ? usual : words);
  }

  /** A credential goes to nobody it was not given for: says so before the save that removes it. */
  #warnOfOld(moved: boolean, key: string): void {
    const warning = this.querySelector<HTMLElement>(`[data-old-recipient=${key}]`);
    const secret = this.#secrets().find(([name]) => name === key)?.[1];
    if (warning !== null) warning.hidden = !moved || secret?.dataset['set'] !== '1' || secret.change.kind !== 'keep';
  }

  async #save(): Promise<void> {
    const changes = this.#changes();
    if (this.#saving || Object.keys(changes).length === 0) return;
    this.#saving = true;
    this.#mark(t('form.saving'));
    const sent = await send('/api/v1/config', changes);
    this.#saving = false;
    this.#refuse(sent.ok ? {} : sent.reasons);
    this.classList.toggle('was-refused', !sent.ok);
    if (sent.ok) {
      for (const [key, value] of Object.entries(changes)) if (this.#stored.has(key)) this.#stored.set(key, value);
      for (const [name, secret] of this.#secrets()) if (name in changes) secret.settle(changes[name] !== null);
      this.#adopt(sent.body);
      this.#mark(sent.body['status'] === 'no-op' ? t('form.same') : t('form.saved'));
      return;
    }
    this.#mark(this.#whyNot(sent));
  }

  #whyNot(sent: Extract<Sent, { ok: false }>): string {
    const refused = Object.keys(sent.reasons).length;
    const reason = refused > 0 ? t('form.refused', { count: refused }) : sent.reason;
    return `${t('form.not_saved', { reason })} ${t('form.kept')}`;
  }

  /** Takes a refusal away from a field that is being changed: it spoke of another value. */
  #forgive(field: HTMLElement | null): void {
    const line = field?.querySelector<HTMLElement>('.refusal');
    if (field === null || line === null || line === undefined || line.hidden) return;
    line.hidden = true;
    line.textContent = '';
    field.classList.remove('is-refused');
    field.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
    if (this.querySelector('.is-refused') === null) this.classList.remove('was-refused');
  }

  /** Puts each refusal beside its field, opens what hides it, and goes to the first. */
  #refuse(reasons: Readonly<Record<string, string>>): void {
    let first: HTMLElement | undefined;
    for (const line of Array.from(this.querySelectorAll<HTMLElement>('.refusal'))) {
      const key = line.id.slice('refusal-'.length);
      const reason = reasons[key];
      line.hidden = reason === undefined;
      line.textContent = reason ?? '';
      const field = line.closest<HTMLElement>('[data-field]');
      field?.classList.toggle('is-refused', reason !== undefined);
      const control = field?.querySelector<HTMLElement>('input:not([hidden]),select');
      if (reason === undefined) {
        control?.removeAttribute('aria-invalid');
        continue;
      }
      control?.setAttribute('aria-invalid', 'true');
      const fold = field?.closest('details');
      if (fold !== null && fold !== undefined) fold.open = true;
      first ??= control ?? undefined;
    }
    first?.focus({ preventScroll: true });
    first?.closest('.field')?.scrollIntoView({ block: 'center' });
  }

  /** Takes over what the panel says is in force, leaving alone what the owner is changing. */
  #adopt(configuration: Readonly<Record<string, unknown>>): void {
    const settings = record(configuration['settings']);
    const exposed = record(configuration['ha_expose']);
    for (const control of this.#controls()) {
      const value = control.name.startsWith('ha_expose_')
        ? exposed[control.name.slice('ha_expose_'.length)]
        : settings[control.name];
      if (value === undefined || shown(control) !== this.#stored.get(control.name)) continue;
      show(control, value);
      this.#stored.set(control.name, shown(control));
    }
    for (const [name, secret] of this.#secrets()) {
      const set = configuration[`${name}_set`];
      if (typeof set === 'boolean' && secret.change.kind === 'keep' && secret.dataset['set'] !== (set ? '1' : '0'))
        secret.settle(set);
    }
  }

  async #refresh(revision: number): Promise<void> {
    this.#revision = revision;
    const had = Object.keys(this.#changes()).length > 0;
    const before = JSON.stringify([...this.#stored]);
    const answer = await ask('/api/v1/config');
    if (!answer.ok) return;
    this.#adopt(answer.body);
    if (had && JSON.stringify([...this.#stored]) !== before) this.#mark(t('form.elsewhere'));
  }

  #undo(key: string): void {
    const control = this.#controls().find((candidate) => candidate.name === key);
    if (control !== undefined) {
      show(control, this.#stored.get(key));
      control.focus();
    }
    const secret = this.#secrets().find(([name]) => name === key)?.[1];
    secret?.settle();
    this.#forgive(this.querySelector(`[data-field="${key}"]`));
    this.#mark('');
  }

  #discard(): void {
    for (const control of this.#controls()) show(control, this.#stored.get(control.name));
    for (const [, secret] of this.#secrets()) secret.settle();
    this.#refuse({});
    this.classList.remove('was-refused');
    this.#mark('');
  }
}
