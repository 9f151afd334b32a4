import { t } from '../strings/t.ts';
import { announceIn } from './announce.ts';
import { checkSetting } from './check-setting.ts';
import { IdFollower } from './id-follower.ts';
import { askPerson } from './question.ts';
import { latestStatus } from './stream.ts';

/** The panel id field: shows what the id becomes, and asks before it changes. */
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

  /** Shows what the id becomes; nothing for "". */
  show(becomes: string): void {
    this.#follower.drop();
    if (this.#line === null) return;
    this.#line.hidden = becomes === '';
    announceIn(this.#line, becomes === '' ? '' : t('form.becomes', { id: becomes }));
    // The save bar covers what is below the field.
    if (becomes !== '') this.#line.scrollIntoView({ block: 'nearest' });
  }

  /** Asks before a change of the id, which makes the panel another device. The panel itself refuses an invalid id. */
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
