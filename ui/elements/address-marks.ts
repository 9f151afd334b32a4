import type { StatusDocument } from '#machines/status.ts';
import { addressFails, brokerFails } from '../parts/link-state.ts';
import { announce } from './announce.ts';
import { forgive, refuse } from './refusal.ts';

/** The fields of an address, by the step that each stands in. */
const fields = { home_assistant: 'ha_url', broker: 'mqtt_broker' } as const;

/** A step with an address. */
type Addressed = keyof typeof fields;

const isAddressed = (stage: string): stage is Addressed => stage in fields;

/** Whether the panel finds nothing at the saved address of a step. */
const fails: Readonly<Record<Addressed, (status: StatusDocument) => boolean>> = {
  home_assistant: addressFails,
  broker: brokerFails,
};

/** What is said beside the address of one step. */
interface Mark {
  /** What was said last of the address in the field; "" while nothing is. */
  probed: string;
  /** Whether that was a refusal. */
  isRefused: boolean;
  /** What the panel says of the saved address, as it stands beside the field; "" while it does not. */
  marked: string;
}

const unmarked: Mark = { probed: '', isRefused: false, marked: '' };

/** Marks the addresses of the setup: by the newest check of one, else by what the panel finds at the saved one. */
export class AddressMarks {
  readonly #page: HTMLElement;
  readonly #marks: Record<Addressed, Mark> = { home_assistant: { ...unmarked }, broker: { ...unmarked } };
  #status: StatusDocument | null = null;

  /** `page` carries the saved addresses: `data-address` that of Home Assistant, `data-broker` that of the broker. */
  constructor(page: HTMLElement) {
    this.#page = page;
  }

  /** Marks what the newest status says. */
  follow(status: StatusDocument): void {
    this.#status = status;
    this.draw();
  }

  /** The newest word on an address takes the place of what was said of it before. */
  probed(stage: string, line: Element): void {
    if (!isAddressed(stage)) return;
    const words = line.textContent ?? '';
    const isRefused = line.classList.contains('refused');
    this.#marks[stage] = { probed: words, isRefused, marked: '' };
    const field = line.closest<HTMLElement>('.field');
    if (field !== null) forgive(field);
    if (field !== null && isRefused) {
      refuse(field, words);
      // The line that is read out gives way to the refusal.
      announce(words);
    }
    this.draw();
  }

  /** What was said of the address of a step is about to be said anew. */
  clear(stage: string): void {
    if (isAddressed(stage)) this.#marks[stage] = { ...unmarked };
  }

  /** Every refusal was taken from the page. */
  forget(): void {
    for (const mark of Object.values(this.#marks)) mark.marked = '';
  }

  /** Says beside each saved address that the panel finds nothing there. */
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
    // What stands beside the field is not said above it once more; the lead of the broker says more than its address.
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
