import { Changed, Undo } from '../parts/field.tsx';

/** Marks a field as changed or not; the word and the button for that are made when they are first needed. */
export const markChanged = (field: HTMLElement, changed: boolean): void => {
  field.classList.toggle('is-changed', changed);
  if (!changed || field.querySelector('.changed') !== null) return;
  const head = field.querySelector('.field-head');
  const label = field.querySelector('.label')?.textContent ?? '';
  (head ?? field.querySelector('.check'))?.insertAdjacentHTML('beforeend', String(Changed()));
  head?.insertAdjacentHTML('beforeend', String(Undo({ name: field.dataset['field'] ?? '', label })));
};
