import { Changed, Undo } from '../parts/field.tsx';

/** Marks a field as changed or not; the label and Undo button are created when first needed. */
export function markChanged(field: HTMLElement, changed: boolean): void {
  field.classList.toggle('is-changed', changed);
  if (!changed || field.querySelector('.changed') !== null) return;
  const head = field.querySelector('.field-head');
  const label = head?.querySelector('.label')?.textContent ?? '';
  head?.insertAdjacentHTML('beforeend', String(Changed()));
  // A switch needs no Undo button: it can be switched back.
  if (head?.querySelector('.toggle') === null)
    head.insertAdjacentHTML('beforeend', String(Undo({ name: field.dataset['field'] ?? '', label })));
}
