import { Refusal } from '../parts/field.tsx';

const controlOf = (field: HTMLElement): HTMLElement | null =>
  field.querySelector<HTMLElement>('.input') ?? field.querySelector<HTMLElement>('input');

/** The reason as shown beside its field: without the field's label at the start. */
function besideLabel(field: HTMLElement, reason: string): string {
  const label = field.querySelector('.label')?.textContent ?? '';
  if (label === '' || !reason.startsWith(`${label} `)) return reason;
  const rest = reason.slice(label.length + 1);
  return rest.slice(0, 1).toUpperCase() + rest.slice(1);
}

/** Removes the refusal from a field. */
export function forgive(field: HTMLElement): void {
  if (!field.classList.contains('is-refused')) return;
  field.classList.remove('is-refused');
  field.querySelector('.refusal')?.remove();
  const control = controlOf(field);
  control?.removeAttribute('aria-invalid');
  control?.setAttribute('aria-describedby', `help-${field.dataset['field'] ?? ''}`);
}

/** Shows beside a field why its value is refused, and opens the fold around it; returns the element to focus. */
export function refuse(field: HTMLElement, reason: string): HTMLElement | null {
  forgive(field);
  const key = field.dataset['field'] ?? '';
  const id = `refusal-${key}`;
  field.classList.add('is-refused');
  const markup = String(Refusal({ id, reason: besideLabel(field, reason) }));
  (field.querySelector('.input-box,select,sconce-secret') ?? field.firstElementChild)?.insertAdjacentHTML(
    'afterend',
    markup,
  );
  const control = controlOf(field);
  control?.setAttribute('aria-invalid', 'true');
  control?.setAttribute('aria-describedby', `${id} help-${key}`);
  field.closest('details')?.setAttribute('open', '');
  return control;
}
