import { t } from '../strings/t.ts';
import { say } from './announce.ts';
import { checkSetting } from './check-setting.ts';
import { askPerson } from './question.ts';
import { latestStatus } from './stream.ts';

/** How long nobody types until the panel is asked what an id becomes, in milliseconds. */
const PAUSE_MS = 250;

/** The field of the panel id: says what the id becomes, and asks before it is another one. */
export class PanelId {
  readonly #line: HTMLElement | null;
  #pause: number | undefined;
  /** Counts what is typed, so that a late answer is known. */
  #turn = 0;

  constructor(form: HTMLElement) {
    this.#line = form.querySelector('[data-becomes]');
    form.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === 'panel_id') this.#follow(target);
    });
  }

  /** Says what the id becomes; nothing for "". */
  say(becomes: string): void {
    this.#turn += 1;
    window.clearTimeout(this.#pause);
    if (this.#line === null) return;
    this.#line.hidden = becomes === '';
    say(this.#line, becomes === '' ? '' : t('form.becomes', { id: becomes }));
    // The bar stands over what is below the field.
    if (becomes !== '') this.#line.scrollIntoView({ block: 'nearest' });
  }

  #follow({ name, value }: HTMLInputElement): void {
    window.clearTimeout(this.#pause);
    const turn = (this.#turn += 1);
    this.#pause = window.setTimeout(() => {
      void checkSetting(name, value).then((checked) => {
        if (turn !== this.#turn) return;
        const becomes = checked?.ok === true && typeof checked.value === 'string' ? checked.value : '';
        this.say(becomes === value ? '' : becomes);
      });
    }, PAUSE_MS);
  }

  /** Whether the owner means it: another id is another device. One that would be refused is left to the panel. */
  async isMeant(value: string): Promise<boolean> {
    const checked = await checkSetting('panel_id', value);
    const status = latestStatus();
    const id = checked?.ok === true && typeof checked.value === 'string' ? checked.value : value;
    if (checked?.ok === false || id === status?.panel.id) return true;
    const count = status?.platform?.announced.length ?? 0;
    return askPerson('new-device', {
      title: id === '' ? t('form.id_chosen') : t('form.id_becomes', { id }),
      texts: [count === 0 ? t('form.new_device_only') : t('form.new_device', { count })],
      yes: t('form.change'),
    });
  }
}
