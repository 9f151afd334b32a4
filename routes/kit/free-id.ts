import { panelSlug } from '#machines/kit/panel-slug.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True if the panel's id may follow a new name: none was chosen, and no broker was entered that knows it. */
export function isIdFree(values: Readonly<Record<string, unknown>>): boolean {
  const id = textOf(values['panel_id']);
  const isChosen = id !== '' && id !== panelSlug(textOf(values['friendly_name']));
  return !isChosen && textOf(values['mqtt_broker']) === '';
}
