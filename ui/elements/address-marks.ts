import type { StatusDocument } from '#machines/status.ts';
import { addressFails, brokerFails } from '../parts/link-state.ts';
import { announce } from './announce.ts';
import { forgive, refuse } from './refusal.ts';

/** The address field of each step. */
const fields = { home_assistant: 'ha_url', broker: 'mqtt_broker' } as const;

type Addressed = keyof typeof fields;

const isAddressed = (stage: string): stage is Addressed => stage in fields;

/** True if the panel finds nothing at the saved address of a step. */
const fails: Readonly<Record<Addressed, (status: StatusDocument) => boolean>> = {
  home_assistant: addressFails,
  broker: brokerFails,
};

/** The messages beside the address of one step. */
interface Mark {
  /** The latest message about the typed address; "" if none. */
  probed: string;
  isRefused: boolean;
  /** The panel's message about the saved address as shown beside the field; "" if none is shown. */
  marked: string;
}

const unmarked: Mark = { probed: '', isRefused: false, marked: '' };

/** Marks the addresses in the setup by the latest check, or else by what the panel finds at the saved address. */
export class AddressMarks {
  readonly #page: HTMLElement;
  readonly #marks: Record<Addressed, Mark> = { home_assistant: { ...unmarked }, broker: { ...unmarked } };
  #status: StatusDocument | null = null;

  /** `page` carries the saved addresses: `data-address` of Home Assistant, `data-broker` of the broker. */
  constructor(page: HTMLElement) {
    this.#page = page;
  }

  /** Marks the addresses from the newest status. */
  follow(status: StatusDocument): void {
    this.#status = status;
    this.draw();
  }

  /** The latest message about an address replaces the earlier one. */
  probed(stage: string, line: Element): void {
    if (!isAddressed(stage)) return;
    const words = line.textContent ?? '';
    const isRefused = line.classList.contains('refused');
    this.#marks[stage] = { probed: words, isRefused, marked: '' };
    const field = line.closest<HTMLElement>('.field');
    if (field !== null) forgive(field);
    if (field !== null && isRefused) {
      refuse(field, words);
      // The live status line is cleared in favour of the refusal.
      announce(words);
    }
    this.draw();
  }

  /** Called before a new message about a step's address. */
  clear(stage: string): void {
    if (isAddressed(stage)) this.#marks[stage] = { ...unmarked };
  }

  /** Called once all refusals have been removed from the page. */
  forget(): void {
    for (const mark of Object.values(this.#marks)) mark.marked = '';
  }

  /** Shows beside each saved address that the panel finds nothing there. */
  draw(): void {
    this.#draw('home_assistant');
    this.#draw('broker');
  }

  #draw(stage: Addressed): void {
    const card = this.#page.querySelector<HTMLElement>(`#step-${stage}`);
    const field = card?.querySelector<HTMLElement>(`[data-field=${fields[stage]}]`);
    if (!card || !field) return;
    const mark = this.#marks[stage];
    const isSaved = this.#isSaved(stage);
    const reason = mark.probed === '' && isSaved ? this.#reason(stage) : '';
    if (reason !== mark.marked) {
      if (reason === '') forgive(field);
      else refuse(field, reason);
      mark.marked = reason;
    }
    // A message beside the field is not repeated above it; the broker's lead says more than the address message.
    const isSaid = stage === 'broker' ? mark.isRefused : mark.probed !== '' || !isSaved;
    card.classList.toggle('is-probed', isSaid || reason !== '');
  }

  #isSaved(stage: Addressed): boolean {
    const name = fields[stage];
    const typed = this.#page.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
    return typed !== '' && typed === this.#page.dataset[name === 'ha_url' ? 'address' : 'broker'];
  }

  #reason(stage: Addressed): string {
    if (this.#status === null || !fails[stage](this.#status)) return '';
    return this.#status.setup?.steps.find((step) => step.stage === stage)?.detail ?? '';
  }
}
