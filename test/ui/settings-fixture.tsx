import { shownSettings as descriptors } from '#machines/settings.ts';
import { settingsPagesOf } from '#routes/configure.tsx';
import { ConfigureGroupPage } from '#ui/pages/configure-group-page.tsx';
import { ConfigurePage, type GroupRow } from '#ui/pages/configure-page.tsx';
import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

/** A configuration with every setting at its default, but for a password that is set. */
export const config = {
  settings: Object.fromEntries(
    descriptors.filter((item) => !item.readOnly).map((item) => [item.key, item.defaultValue ?? '']),
  ),
  ha_expose: Object.fromEntries(descriptors.filter((item) => item.ha).map((item) => [item.key, item.exposedByDefault])),
  mqtt_password_set: true,
};

/** The pages of a panel that has everything. */
export const settingsPages = settingsPagesOf(descriptors);
/** A group as the list of them is given it. */
export function groupRow(id: string, more: Partial<GroupRow> = {}): GroupRow {
  const { title = '', icon = '', items = [] } = settingsPages.find((page) => page.id === id) ?? {};
  const fields = items.map(({ key, label, readOnly }) => ({
    key,
    label,
    id: `${readOnly ? 'expose' : 'field'}-${key}`,
  }));
  return { id, title, icon, fields, differing: 0, needs: [], ...more };
}
/** The list of these groups, drawn. */
export const listMarkup = (groups: readonly GroupRow[]): string =>
  markupOf(<ConfigurePage status={fixtureStatus} groups={groups} />);
/** The page of one group, drawn. */
export function groupMarkup(id: string, status = fixtureStatus, values = config): string {
  const group = settingsPages.find((page) => page.id === id);
  if (group === undefined) throw new Error(`no group ${id}`);
  return markupOf(<ConfigureGroupPage status={status} group={group} groups={settingsPages} config={values} />);
}
/** The page of each group, drawn. */
export const groupPages = settingsPages.map(({ id }) => ({ name: `configure ${id}`, markup: groupMarkup(id) }));
