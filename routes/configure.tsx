import type { Hono } from 'hono';
import { READINGS_PAGE, settingGroups } from '#machines/setting-groups.ts';
import { settingsFor } from '#machines/settings.ts';
import { judgedWith } from '#machines/settings/rules.ts';
import { isChanged } from '#machines/settings/changed.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { SettingDescriptor } from '#machines/kit/setting.ts';
import { readConfiguration } from '#routes/config.ts';
import { absentNow } from '#routes/kit/absent-now.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { pageOf } from '#routes/kit/on-device.tsx';
import { problem, restarting } from '#routes/kit/problem.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { readCapabilities, readStatus } from '#routes/status/read-status.ts';
import { pageTable } from '#ui/page-table.ts';
import type { GroupRow } from '#ui/pages/configure-page.tsx';
import { changedElsewhere, readingsTitle } from '#ui/parts/form-item.ts';

const views = {
  groups: chunk(() => import('#ui/pages/configure-page.tsx')),
  group: chunk(() => import('#ui/pages/configure-group-page.tsx')),
};

/** A page under `/configure`: one group, or the readings. */
interface SettingsPage {
  readonly id: string;
  readonly title: string;
  readonly icon: string;
  readonly items: readonly SettingDescriptor[];
}

/** The pages that these settings fill, in display order; a group without settings has none. */
export const settingsPagesOf = (rows: readonly SettingDescriptor[]): readonly SettingsPage[] =>
  [
    ...settingGroups.map(({ id, title, icon }) => ({
      id,
      title,
      icon,
      items: rows.filter(({ key, group, readOnly }) => group === id && !readOnly && !changedElsewhere.has(key)),
    })),
    {
      id: READINGS_PAGE,
      title: readingsTitle(),
      icon: 'mdi:home-assistant',
      items: rows.filter(({ readOnly, ha }) => readOnly && ha),
    },
  ].filter(({ items }) => items.length > 0);

const pagesFor = (deps: RouteDeps): readonly SettingsPage[] => settingsPagesOf(settingsFor(absentNow(deps)));

/** The groups as their list shows them; undefined while the settings restart. */
function groupRows(deps: RouteDeps): readonly GroupRow[] | undefined {
  const settings = deps.registry.read('settings')?.context;
  if (settings === undefined || settings.revision === 0) return undefined;
  const needing = readCapabilities(deps).flatMap(({ state, detail, page = '' }) =>
    state === 'needs_you' ? [{ detail, href: page }] : [],
  );
  return pagesFor(deps).map(({ id, title, icon, items }) => ({
    id,
    title,
    icon,
    fields: items.map(({ key, label, readOnly }) => ({ key, label, id: `${readOnly ? 'expose' : 'field'}-${key}` })),
    differing: items.filter((item) => isChanged(item, settings)).length,
    needs: needing.filter(({ href }) => href.split('#')[0] === `/configure/${id}`),
  }));
}

/** The pages of settings: the list of the groups, and one page for each. */
export function configurePages(app: Hono<Env>, deps: RouteDeps): void {
  app.get(pageTable.configure.path, async (c) => {
    const { ConfigurePage } = await views.groups();
    const groups = groupRows(deps);
    return groups === undefined
      ? problem(c, restarting('settings'))
      : pageOf(c, deps, <ConfigurePage status={readStatus(deps)} groups={groups} />, 200, noStore);
  });
  app.get(`${pageTable.configure.path}/:group`, async (c) => {
    const { ConfigureGroupPage } = await views.group();
    const groups = pagesFor(deps);
    const group = groups.find(({ id }) => id === c.req.param('group'));
    if (group === undefined) return c.notFound();
    const items = group.items.map((item) => ({ ...item, beside: judgedWith(item.key) }));
    const config = readConfiguration(deps);
    return config === undefined
      ? problem(c, restarting('settings'))
      : pageOf(
          c,
          deps,
          <ConfigureGroupPage status={readStatus(deps)} group={{ ...group, items }} groups={groups} config={config} />,
          200,
          noStore,
        );
  });
}
