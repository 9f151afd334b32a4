import { panelSlug } from '#machines/identity/slug.ts';

/** Whether the panel's id may follow a new name: nobody chose another one, and no broker was entered that knows it. */
export const isIdFree = (values: Readonly<Record<string, unknown>>): boolean => {
  const id = String(values['panel_id'] ?? '');
  const isChosen = id !== '' && id !== panelSlug(String(values['friendly_name'] ?? ''));
  return !isChosen && String(values['mqtt_broker'] ?? '') === '';
};
