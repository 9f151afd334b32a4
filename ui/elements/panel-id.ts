import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { checkSetting } from './check-setting.ts';
import { IdFollower } from './id-follower.ts';
import { askPerson } from './question.ts';
import { latestStatus } from './stream.ts';

/** The field of the panel id: says what the id becomes, and asks before it is another one. */
export class PanelId {
  readonly #line: HTMLElement | null;
  readonly #follower = new IdFollower();

  constructor(form: HTMLElement) {
    this.#line = form.querySelector('[data-becomes]');
    form.addEventListener('input', ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== 'panel_id') return;
      const { value } = target;
      this.#follower.follow(value, (becomes) => this.show(becomes === value ? '' : becomes));
    });
  }

  /** Says what the id becomes; nothing for "". */
  show(becomes: string): void {
    this.#follower.drop();
    if (this.#line === null) return;
    this.#line.hidden = becomes === '';
    announceIn(this.#line, becomes === '' ? '' : t('form.becomes', { id: becomes }));
    // The bar stands over what is below the field.
    if (becomes !== '') this.#line.scrollIntoView({ block: 'nearest' });
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
