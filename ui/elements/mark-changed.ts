import { Changed, Undo } from '../parts/field.tsx';

/** Marks a field as changed or not; the word and the button for that are made when they are first needed. */
export function markChanged(field: HTMLElement, changed: boolean): void {
  field.classList.toggle('is-changed', changed);
  if (!changed || field.querySelector('.changed') !== null) return;
  const head = field.querySelector('.field-head');
  const label = head?.querySelector('.label')?.textContent ?? '';
  head?.insertAdjacentHTML('beforeend', String(Changed()));
  // A switch is switched back.
  if (head?.querySelector('.toggle') === null)
    head.insertAdjacentHTML('beforeend', String(Undo({ name: field.dataset['field'] ?? '', label })));
}
