import { t } from '../strings/t.ts';
import { askDashboards } from './dashboards.ts';

/** No path: that of a dashboard begins with a slash. */
const OTHER = '?';

/** Beside the home dashboard: the dashboards of Home Assistant to choose from; any other path can still be typed. */
export class SconceDashboards extends HTMLElement {
  connectedCallback(): void {
    const input = this.closest('.field')?.querySelector('input');
    if (input) void this.#offer(input);
  }

  async #offer(input: HTMLInputElement): Promise<void> {
    const rows = await askDashboards();
    if (rows === null) return;
    const select = document.createElement('select');
    select.className = 'input';
    select.setAttribute('aria-label', t('form.dashboards'));
    // Names and paths come from Home Assistant, so they are inserted as text.
    for (const { path, title } of rows) select.add(new Option(path === '' ? title : `${title} (${path})`, path));
    /** Shown while the field has a path of its own. */
    const other = new Option(t('form.dashboards'), OTHER);
    other.hidden = true;
    select.add(other);
    const follow = (): void => {
      select.value = input.value;
      if (select.selectedIndex < 0) select.value = OTHER;
    };
    follow();
    input.addEventListener('input', follow);
    // Undo and Discard change the field without firing an input event.
    document.addEventListener('click', () => window.setTimeout(follow));
    select.addEventListener('change', () => {
      input.value = select.value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    this.appendChild(select);
  }
}
