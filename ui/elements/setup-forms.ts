import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import type { AskedBeside } from './approval.ts';
import { IdFollower } from './id-follower.ts';
import { textOf } from './json-fields.ts';
import { note } from './note.ts';
import { hidePassword } from './password-toggle.ts';
import { send, type Sent } from './send.ts';
import { focusRefusedField } from './setup-focus.ts';
import { leaveToSignIn } from './setup-return.ts';
import { keepTyped } from './typed-address.ts';

type Form = 'identity' | 'home_assistant' | 'broker';

/** How long to wait after a save before a refusal or silence is reported, in milliseconds. */
const connectMs = 20_000;

/** The page around the forms. */
export interface FormsHost {
  /** Carries `data-name`, `data-id`, `data-free` and `data-broker`, which are kept up to date. */
  readonly page: HTMLElement;
  /** Runs one request at a time; null if the form already runs one. */
  readonly run: (place: Form, doing: string, act: (beside: AskedBeside) => Promise<Sent>) => Promise<Sent | null>;
  readonly refuse: (reasons: Readonly<Record<string, string>>) => void;
  readonly say: (place: Form, words: string) => void;
  /** The person is done with the open step. */
  readonly release: () => void;
  readonly isBrokerDone: () => boolean;
}

/** The steps of the setup with fields: the name, Home Assistant and the broker. */
export class SetupForms {
  readonly #host: FormsHost;
  readonly #page: HTMLElement;
  readonly #id = new IdFollower();
  #waiting: number | undefined;

  constructor(host: FormsHost) {
    this.#host = host;
    this.#page = host.page;
  }

  #value(name: string): string {
    return this.#page.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
  }

  /** True if the panel's id follows its name: until a broker is entered or knows the panel. */
  #isUnknown(): boolean {
    const { free, broker } = this.#page.dataset;
    return free === '1' && broker === '' && !this.#host.isBrokerDone();
  }

  followName(name: string): void {
    if (!this.#isUnknown()) return;
    this.#id.follow(name === this.#page.dataset['name'] ? '' : name, (id) => this.#sayId(id));
  }

  #sayId(id: string): void {
    const shown = id === '' ? (this.#page.dataset['id'] ?? '') : id;
    const words = this.#isUnknown() ? 'setup.identity.help' : 'setup.identity.kept';
    announceIn(this.#page.querySelector('#help-friendly_name'), t(words, { id: shown }));
  }

  async saveIdentity(): Promise<void> {
    const name = this.#value('friendly_name');
    if (name === '') {
      this.#host.refuse({ friendly_name: t('setup.identity.missing') });
      return;
    }
    await this.#host.run('identity', t('form.saving'), async (beside) => {
      const isNew = name !== this.#page.dataset['name'];
      if (isNew) {
        // Until the panel is known anywhere, its id follows the name; a name without usable letters leaves the id
        // unchanged.
        const isUnknown = this.#isUnknown();
        const named = { friendly_name: name, ...(isUnknown && { panel_id: name }) };
        let saved = await send('/api/v1/config', named, { beside });
        if (!saved.ok && isUnknown && 'panel_id' in saved.reasons)
          saved = await send('/api/v1/config', { friendly_name: name }, { beside });
        if (!saved.ok) return saved;
        this.#page.dataset['name'] = name;
        this.#id.drop();
        this.#page.dataset['id'] = textOf(saved.body['panel_id']);
        this.#sayId('');
      }
      this.#host.release();
      return send('/api/v1/setup/identity', { answer: 'done' });
    });
  }

  /** Takes a free id in place of one that another machine uses. */
  async takeId(id: string): Promise<void> {
    await this.#host.run('identity', t('form.saving'), async (beside) => {
      const saved = await send('/api/v1/config', { panel_id: id }, { beside });
      if (saved.ok) this.#page.dataset['id'] = id;
      return saved;
    });
    this.#sayId('');
  }

  async signIn(): Promise<void> {
    const address = this.#value('ha_url');
    if (address === '') {
      this.#host.refuse({ ha_url: t('signing.missing') });
      return;
    }
    const sent = await this.#host.run('home_assistant', t('signing.going'), () =>
      send('/api/v1/ha/oauth/start', { ha_url: address }),
    );
    if (sent === null) return;
    if (!sent.ok) {
      // The latest message about the address is shown beside it, like that of a check.
      if (sent.error !== 'bad-address' && sent.error !== 'address-loops-back') return;
      note(this.#page.querySelector('#step-home_assistant [data-probed]'), sent.reason, true);
      this.#page.querySelector<HTMLInputElement>('[name=ha_url]')?.focus();
      return;
    }
    const url = textOf(sent.body['authorization_url']);
    if (url !== '') leaveToSignIn(url);
  }

  async connect(): Promise<void> {
    const password = this.#page.querySelector<HTMLInputElement>('[name=mqtt_password]');
    const address = this.#value('mqtt_broker');
    if (address === '') {
      this.#host.refuse({ mqtt_broker: t('setup.broker.missing') });
      return;
    }
    // User and password are saved together with the address shown, in one request.
    const body = {
      mqtt_broker: address,
      mqtt_user: this.#value('mqtt_user'),
      ...(password !== null && password.value !== '' && { mqtt_password: password.value }),
    };
    const sent = await this.#host.run('broker', t('form.saving'), (beside) => send('/api/v1/config', body, { beside }));
    if (sent === null || !sent.ok) return;
    this.#page.dataset['broker'] = address;
    // Another one may have been typed since.
    const field = this.#page.querySelector<HTMLInputElement>('[name=mqtt_broker]');
    if (field !== null) keepTyped(this.#page, field);
    this.#sayId('');
    if (password !== null) password.value = '';
    hidePassword(this.#page);
    this.#host.release();
    this.#host.say('broker', t('setup.broker.connecting'));
    window.clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(() => {
      this.#waiting = undefined;
      this.#host.say('broker', '');
    }, connectMs);
  }

  /** Clears the message about a connection that succeeded or was refused: the sentence above covers it. */
  settle(status: 'done' | 'needs_you', isRunning: boolean): void {
    if (this.#waiting === undefined || (status === 'needs_you' && isRunning)) return;
    window.clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#host.say('broker', '');
    // After its field is marked; a refused sign-in is shown above it.
    if (status === 'needs_you') queueMicrotask(() => focusRefusedField(this.#page.querySelector('#step-broker')));
  }
}
