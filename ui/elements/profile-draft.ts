import type { ProfilePreview } from '#machines/profile-catalog/requests.ts';
import { ProfileFindings, type Findings } from '../parts/profile-findings.tsx';
import { t } from '../strings/t.ts';
import { fill } from './fill.ts';
import { announceIn } from './announce.ts';
import { redraw } from './morph.ts';
import { ProfileCheck } from './profile-check.ts';
import { storeDraft, storedDraft, type StoredDraft } from './stored-draft.ts';
import { askPerson } from './question.ts';
import { ask, sendYaml } from './send.ts';
import { SconceYaml } from './yaml-editor.ts';
import type { SchemaNode } from './yaml-words.ts';

/**
 * Largest file opened, in bytes: twice the largest profile, so that the panel itself can report a profile that is too
 * long.
 */
const mostFileBytes = 262_144;

/** A revision that was just saved, as sent in the event. */
export interface SavedProfile {
  readonly id: string;
  readonly revision: string;
  readonly name: string;
  /** Its effects on the machine, one sentence each. */
  readonly risks: readonly string[];
}

/** The profile editor: the text, the panel's findings, and saving. A restart of the agent never loses the text. */
export class SconceProfileDraft extends HTMLElement {
  #editor: SconceYaml | null = null;
  #draft: StoredDraft | null = null;
  #saved: SavedProfile | null = null;
  readonly #check = new ProfileCheck((findings) => this.#show(findings));

  connectedCallback(): void {
    this.addEventListener('yaml-input', () => this.#written());
    this.addEventListener('click', (event) => void this.#click(event.target));
    this.querySelector('[data-file]')?.addEventListener('change', (event) => void this.#openFile(event.target));
    window.addEventListener('beforeunload', (event) => {
      if (!this.#isChanged()) return;
      event.preventDefault();
      // Chromium before 119 also needs this.
      event.returnValue = '';
    });
    const kept = storedDraft();
    if (kept !== null) this.#open(kept);
  }

  /** Opens a text; asks first if unsaved text would be lost. `origin` says where it came from. */
  async begin(text: string, origin: string): Promise<void> {
    const free =
      !this.#isChanged() ||
      (await askPerson('profile-question', {
        title: t('profiles.replace_title'),
        texts: [t('profiles.replace_text')],
        yes: t('profiles.replace_yes'),
      }));
    if (free) this.#open({ text, origin, base: text });
  }

  /** Opens the file chooser. */
  chooseFile(): void {
    this.querySelector<HTMLInputElement>('[data-file]')?.click();
  }

  async #openFile(input: EventTarget | null): Promise<void> {
    if (!(input instanceof HTMLInputElement)) return;
    const file = input.files?.[0];
    if (file === undefined) return;
    const text = file.size > mostFileBytes ? null : await file.text().catch(() => null);
    input.value = '';
    if (text === null) {
      this.hidden = false;
      announceIn(this.#line(), t('profiles.file_failed'));
    } else await this.begin(text, t('profiles.origin_file', { name: file.name }));
  }

  #open(draft: StoredDraft): void {
    this.hidden = false;
    this.#draft = draft;
    this.#settle(null, '');
    announceIn(this.querySelector('[data-origin]'), draft.origin);
    const editor = this.#openEditor();
    editor.value = draft.text;
    this.#check.take(draft.text);
    storeDraft(draft);
    this.querySelector<HTMLElement>('h2')?.focus();
    this.scrollIntoView();
  }

  #openEditor(): SconceYaml {
    if (this.#editor !== null) return this.#editor;
    const editor = new SconceYaml();
    editor.setAttribute('label', t('profiles.editor_label'));
    fill(this.querySelector('[data-editor-place]'), editor);
    this.#editor = editor;
    void ask('/api/v1/profiles/schema').then((answer) => {
      // A JSON Schema made by the panel; every field read here is optional.
      if (answer.ok) editor.schema = answer.body as SchemaNode;
    });
    return editor;
  }

  #isChanged(): boolean {
    return this.#draft !== null && this.#draft.text !== this.#draft.base;
  }

  #written(): void {
    const text = this.#editor?.value ?? '';
    if (this.#draft === null || text === this.#draft.text) return;
    this.#draft = { ...this.#draft, text };
    storeDraft(this.#draft);
    this.#settle(null, '');
    this.#check.take(text);
  }

  #show(findings: Findings): void {
    const place = this.querySelector('[data-findings]');
    if (place !== null) redraw(place, String(ProfileFindings({ findings })));
    if (findings.phase === 'checked') this.#editor?.showIssues(findings.preview.issues);
    const save = this.querySelector<HTMLButtonElement>('[data-draft="save"]');
    if (save !== null) save.disabled = findings.phase !== 'checked' || !findings.preview.valid || this.#saved !== null;
  }

  #line(): Element | null {
    return this.querySelector('[data-draft-said]');
  }

  /** Shows the result of saving. */
  #settle(saved: SavedProfile | null, words: string): void {
    this.#saved = saved;
    announceIn(this.#line(), words);
    const after = this.querySelector<HTMLElement>('[data-after-save]');
    if (after !== null) after.hidden = saved === null;
    const save = this.querySelector<HTMLButtonElement>('[data-draft="save"]');
    if (save !== null && saved !== null) save.disabled = true;
  }

  async #click(target: EventTarget | null): Promise<void> {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-draft],[data-line]') : null;
    if (button === null) return;
    const { draft, line, column } = button.dataset;
    if (line !== undefined) this.#editor?.goTo(Number(line), Number(column));
    if (draft === 'close') await this.#close();
    if (draft === 'save') await this.#save();
    if (draft === 'download') this.#download();
    if (draft === 'activate' && this.#saved !== null)
      this.dispatchEvent(new CustomEvent('profile-activate', { detail: this.#saved, bubbles: true }));
  }

  async #close(): Promise<void> {
    if (
      this.#isChanged() &&
      !(await askPerson('profile-question', {
        title: t('profiles.discard_title'),
        texts: [t('profiles.replace_text')],
        yes: t('profiles.discard_yes'),
      }))
    )
      return;
    this.#check.stop();
    this.#draft = null;
    storeDraft(null);
    this.hidden = true;
  }

  #download(): void {
    const link = document.createElement('a');
    const address = URL.createObjectURL(new Blob([this.#draft?.text ?? ''], { type: 'application/yaml' }));
    link.href = address;
    link.download = `${this.#check.answer?.summary?.id ?? 'profile'}.yaml`;
    link.click();
    URL.revokeObjectURL(address);
  }

  async #save(): Promise<void> {
    const text = this.#draft?.text;
    if (text === undefined) return;
    announceIn(this.#line(), t('profiles.saving'));
    const first = this.#check.answer;
    const saved = (first !== null && (await this.#import(text, first))) || (await this.#saveAnew(text));
    if (!saved || this.#draft === null) return;
    this.#draft = { ...this.#draft, base: text };
    storeDraft(this.#draft);
  }

  /** The token from the first check may have expired: check again and retry once. */
  async #saveAnew(text: string): Promise<boolean> {
    const preview = await this.#check.now();
    return preview !== null && preview.valid && this.#draft?.text === text && (await this.#import(text, preview));
  }

  async #import(text: string, { preview_token: token, summary, risks }: ProfilePreview): Promise<boolean> {
    if (token === null || summary === null) return false;
    const sent = await sendYaml('/api/v1/profiles/import', text, { 'X-Profile-Preview-Token': token });
    if (!sent.ok) {
      this.#settle(null, t('profiles.not_saved', { reason: sent.reason }));
      return false;
    }
    const name = `${summary.display_name} ${summary.version}`;
    this.#settle(
      { id: summary.id, revision: summary.revision, name, risks: risks.map((risk) => risk.detail) },
      t('profiles.saved', { name }),
    );
    this.dispatchEvent(new Event('profile-saved', { bubbles: true }));
    return true;
  }
}
