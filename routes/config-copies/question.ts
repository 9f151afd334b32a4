import { presentValues } from '#machines/config-copies/bundle.ts';
import { planImport } from '#machines/config-copies/values.ts';
import { panelSlug } from '#machines/kit/panel-slug.ts';
import { operationsOf } from '#machines/settings/operations-of.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import { changeWords } from '#routes/kit/config-protects.ts';

/** A bundle as it was sent. */
interface Sent {
  readonly schema: number;
  readonly exported_by?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Whom it is from, if that is a panel id: other text from outside says nothing a person could check. */
const sourceWords = ({ exported_by: id = '' }: Sent): string =>
  id !== '' && panelSlug(id) === id ? `the settings of ${id}` : 'the settings of a file';

/**
 * What an import would do, for the question at the panel: first the changes that need a person by themselves, such as
 * another Home Assistant. From another machine fewer may be taken.
 */
export function importQuestion(
  sent: Sent,
  mode: 'restore' | 'fleet',
  { values, expose }: Pick<SettingsContext, 'values' | 'expose'>,
): string {
  if (sent.schema > SETTINGS_SCHEMA) return sourceWords(sent);
  const crossing = { mode, isOrigin: true };
  const { patch } = planImport({ values, expose, secrets: {} }, presentValues(sent.values, sent.schema), crossing);
  return [...operationsOf(patch, values).map(changeWords), sourceWords(sent)].join(', ');
}
