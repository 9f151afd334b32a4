import type { ShownCatalog } from '#machines/profile-catalog/listing.ts';
import { bytesPath, nameOf } from '../parts/profile-words.ts';
import { ProfilesView } from '../parts/profiles-view.tsx';
import { t } from '../strings/t.ts';
import { announce, announceIn } from './announce.ts';
import { clonedProfile } from './clone-profile.ts';
import { loadBeside } from './load-script.ts';
import { redraw } from './morph.ts';
import type { SavedProfile, SconceProfileDraft } from './profile-draft.ts';
import { storedDraft } from './stored-draft.ts';
import { askPerson, type Question } from './question.ts';
import { ask, askText, send, type Sent, whyNot } from './send.ts';
import { latestStatus, onLink } from './stream.ts';

/** How often the catalogue is read, in milliseconds: while a change is under way, and otherwise. */
const readMs = { busy: 700, calm: 5_000 };

type Ref = { readonly id: string; readonly revision: string };

/** The version of the catalogue that a person confirmed. */
const agreedTo = ({ selection, active, pending, rollback_to: back, profiles }: ShownCatalog): string =>
  JSON.stringify([selection, active, pending, back, profiles.map(({ id, revision }) => [id, revision])]);

/** The profile catalogue, read and changed through the API; it follows a restart through to its end. */
export class SconceProfiles extends HTMLElement {
  #catalog: ShownCatalog | null = null;
  #reachable = true;
  /** The request made here, until the panel reports its result. */
  #expected: string | null = null;
  /** True while a request waits for a person at the panel: no other is made meanwhile. */
  #asking = false;
  #timer: number | undefined;
  #turn = 0;

  connectedCallback(): void {
    this.addEventListener('click', (event) => void this.#click(event.target));
    document.addEventListener('profile-saved', () => void this.#read());
    document.addEventListener('profile-activate', (event) => {
      // Sent by the editor of this page.
      if (event instanceof CustomEvent) void this.#select(event.detail as SavedProfile);
    });
    onLink(() => void this.#read());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.#read();
    });
    // A stored draft opens automatically.
    if (storedDraft() !== null) void this.#draft();
    void this.#read();
  }

  async #read(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const answer = await ask('/api/v1/profiles');
    if (turn !== this.#turn) return;
    // A restarting panel refuses connections, or has no catalogue yet.
    this.#reachable = answer.ok;
    // The route's schema guarantees this type.
    if (answer.ok) this.#take(answer.body as unknown as ShownCatalog);
    this.#draw();
    const calm = this.#reachable && this.#expected === null && this.#catalog?.activation.state !== 'trial';
    this.#timer = window.setTimeout(
      () => {
        if (!document.hidden || !calm) void this.#read();
      },
      calm ? readMs.calm : readMs.busy,
    );
  }

  #take(catalog: ShownCatalog): void {
    const before = this.#catalog;
    this.#catalog = catalog;
    const { state, detail } = catalog.activation;
    const tried = before?.activation.state === 'trial';
    // Announced once; announcing the seconds would never end.
    if (state === 'trial' && !tried)
      announce(t('profiles.restart_due', { name: nameOf(catalog, catalog.pending, t('profiles.name_auto')) }));
    if (state === 'trial') return;
    const waited = tried || this.#expected !== null;
    this.#expected = null;
    if (!waited) return;
    this.#say(
      state === 'active' ? t('profiles.now_in_use', { name: nameOf(catalog, catalog.active, this.#title()) }) : '',
    );
    if (state === 'rolled_back') announce(detail ?? '');
  }

  #title(): string {
    return latestStatus()?.panel.profile.title ?? '';
  }

  #draw(): void {
    redraw(
      this,
      String(
        ProfilesView({
          catalog: this.#catalog,
          title: this.#title(),
          now: Date.now(),
          reachable: this.#reachable,
          live: true,
          expected: this.#expected,
        }),
      ),
    );
    for (const button of Array.from(this.querySelectorAll<HTMLButtonElement>('[data-profile],[data-open]')))
      button.disabled = button.dataset['busy'] === '1' || !this.#reachable || this.#asking;
  }

  #say(words: string): void {
    announceIn(this.querySelector('[data-said]'), words);
  }

  async #click(target: EventTarget | null): Promise<void> {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-profile],[data-open]') : null;
    if (button === null) return;
    const { profile, open, id = '', revision = '' } = button.dataset;
    const ref = { id, revision };
    if (open === 'file') (await this.#draft())?.chooseFile();
    else if (open !== undefined)
      await this.#begin(
        open === 'device' ? '/api/v1/profiles/device-draft' : '/api/v1/profiles/template',
        open === 'device' ? t('profiles.origin_device') : t('profiles.origin_template'),
      );
    else if (profile === 'open') await this.#edit(ref);
    else if (profile === 'delete') await this.#delete(ref);
    else if (profile === 'rollback') await this.#rollBack();
    else if (profile === 'auto') await this.#automatic();
    else if (profile === 'select') await this.#select({ ...ref, name: this.#name(ref), risks: [] });
  }

  /** The editor; its script is loaded on first use. Null if that failed, which the page says. */
  async #draft(): Promise<SconceProfileDraft | null> {
    const isLoaded = await loadBeside('profile-editor');
    if (!isLoaded) this.#say(t('profiles.editor_failed'));
    return isLoaded ? document.querySelector<SconceProfileDraft>('sconce-profile-draft') : null;
  }

  #row(ref: Ref): ShownCatalog['profiles'][number] | undefined {
    return this.#catalog?.profiles.find((one) => one.id === ref.id && one.revision === ref.revision);
  }

  #name(ref: Ref): string {
    return this.#catalog === null ? ref.id : nameOf(this.#catalog, ref, ref.id);
  }

  async #begin(path: string, origin: string, change: (text: string) => string = (text) => text): Promise<void> {
    const answer = await askText(path);
    if (answer.ok) await (await this.#draft())?.begin(change(answer.text), origin);
    else this.#say(t('profiles.not_opened', { reason: answer.reason }));
  }

  async #edit(ref: Ref): Promise<void> {
    const row = this.#row(ref);
    const name = this.#name(ref);
    await (row?.origin === 'bundled'
      ? this.#begin(bytesPath(ref), t('profiles.origin_fork', { name }), clonedProfile)
      : this.#begin(bytesPath(ref), t('profiles.origin_edit', { name })));
  }

  /** The profile the panel rolls back to if the new one does not work. */
  #backWords(): string {
    const catalog = this.#catalog;
    return catalog === null ? '' : t('profiles.ask_back', { name: nameOf(catalog, catalog.active, this.#title()) });
  }

  async #select(saved: SavedProfile): Promise<void> {
    const { name, id, revision, risks } = saved;
    // A revision just saved is confirmed against the catalogue that contains it.
    if (this.#row(saved) === undefined) await this.#read();
    const question = {
      title: t('profiles.ask_activate', { name }),
      texts: [
        t('profiles.ask_restart'),
        ...(risks.length === 0 ? [t('profiles.ask_hardware')] : risks),
        this.#backWords(),
      ],
      yes: t('profiles.activate'),
    };
    await this.#change('/api/v1/profiles/select', { id, revision }, question, name);
  }

  async #automatic(): Promise<void> {
    const question = {
      title: t('profiles.ask_auto'),
      texts: [t('profiles.ask_auto_text'), t('profiles.ask_restart'), this.#backWords()],
      yes: t('profiles.automatic'),
    };
    await this.#change('/api/v1/profiles/select', { auto: true }, question, t('profiles.name_auto'));
  }

  async #rollBack(): Promise<void> {
    const back = this.#catalog?.rollback_to ?? null;
    if (back === null) return;
    const name = back === 'auto' ? t('profiles.name_auto') : this.#name(back);
    const question = {
      title: t('profiles.ask_roll_back', { name }),
      texts: [t('profiles.ask_restart'), this.#backWords()],
      yes: t('profiles.roll_back_yes'),
    };
    await this.#change('/api/v1/profiles/rollback', {}, question, name);
  }

  async #delete(ref: Ref): Promise<void> {
    const question = {
      title: t('profiles.ask_delete', { name: this.#name(ref) }),
      texts: [t('profiles.ask_delete_text')],
      yes: t('profiles.delete'),
    };
    await this.#change('/api/v1/profiles/delete', ref, question, null);
  }

  /**
   * Asks, then sends, based on the catalogue shown at the time of asking. `expected` is the profile after the restart,
   * null for none.
   */
  async #change(
    path: string,
    body: Readonly<Record<string, unknown>>,
    question: Question,
    expected: string | null,
  ): Promise<void> {
    const before = this.#catalog;
    if (before === null || !(await askPerson('profile-question', question))) return;
    this.#say('');
    const line = (): Element | null => {
      this.#asking = true;
      this.#draw();
      this.scrollIntoView();
      return this.querySelector('[data-said]');
    };
    const post = async ({ catalog_revision }: ShownCatalog, more: object): Promise<Sent> => {
      const posted = { ...body, ...more, expected_catalog_revision: catalog_revision, confirm: true };
      const answer = await send(path, posted, { beside: { line } });
      this.#asking = false;
      return answer;
    };
    const attempt = async (more: object): Promise<Sent> => {
      const first = await post(before, more);
      if (first.ok || first.error !== 'catalog-stale') return first;
      // The revision also increases when the panel proves a profile: if nothing else changed, the confirmation still
      // holds.
      await this.#read();
      const now = this.#catalog;
      return now !== null && agreedTo(now) === agreedTo(before) ? post(now, more) : first;
    };
    let sent = await attempt({});
    if (!sent.ok && sent.error === 'platform-not-confirmed') {
      const other = {
        title: t('profiles.ask_platform'),
        texts: [t('profiles.ask_platform_text'), this.#backWords()],
        yes: t('profiles.activate'),
      };
      if (!(await askPerson('profile-question', other))) return;
      sent = await attempt({ confirm_platform: true });
    }
    if (!sent.ok) this.#say(whyNot(sent));
    else if (expected === null) this.#say(t('profiles.deleted'));
    else {
      this.#expected = expected;
      this.scrollIntoView();
    }
    await this.#read();
  }
}
