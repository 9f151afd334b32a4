import { panelSlug } from '#machines/identity/slug.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether the panel's id may follow a new name: nobody chose another one, and no broker was entered that knows it. */
export function isIdFree(values: Readonly<Record<string, unknown>>): boolean {
  const id = textOf(values['panel_id']);
  const isChosen = id !== '' && id !== panelSlug(textOf(values['friendly_name']));
  return !isChosen && textOf(values['mqtt_broker']) === '';
}
