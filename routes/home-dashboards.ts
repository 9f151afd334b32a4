import { z } from 'zod';
import { ownFirst } from '#machines/dashboard/own-first.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { once } from '#machines/kit/once.ts';

/** Longest wait for Home Assistant, in milliseconds: to connect, and for its answer. */
const readMs = 22_000;

/** The dashboards of Home Assistant that a panel may return to. */
export const HomeDashboards = once(() =>
  z
    .object({
      queried: z.boolean().meta({ description: 'False while no one is signed in or Home Assistant does not answer.' }),
      items: z
        .array(
          z.object({
            path: z.string().meta({ description: 'As the setting `home_dashboard` takes it.' }),
            title: z.string().meta({ description: 'Its name in the sidebar.' }),
          }),
        )
        .meta({ description: 'Empty if none could be read.' }),
      default: z
        .object({
          explicit: z.boolean().meta({ description: 'True if the setting names one.' }),
          path: z.string().meta({ description: 'The setting; "" for the start page.' }),
        })
        .meta({ description: 'What the panel returns to.' }),
    })
    .meta({ id: 'HomeDashboards', description: 'The dashboards of Home Assistant that a panel may return to.' }),
);

/** The choices for the home dashboard. */
export const homeDashboardRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getHomeDashboards',
      method: 'get',
      path: '/api/v1/config/home-dashboards',
      tag: 'configuration',
      summary: 'The dashboards to choose the home dashboard from',
      description: 'Asks Home Assistant, over a temporary connection if none is open.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The dashboards.', HomeDashboards()),
      }),
      problems: [],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask(
        'home-assistant',
        { type: 'home-assistant.read', topic: { kind: 'dashboards' } },
        readMs,
      );
      const reading = asked.ok && asked.value.ok ? asked.value.reading : null;
      const set = deps.registry.read('settings')?.context.values['home_dashboard'];
      const path = typeof set === 'string' ? set : '';
      return answer(200, {
        queried: reading !== null,
        items:
          reading?.kind === 'dashboards'
            ? ownFirst(reading.dashboards).map(({ path: name, title }) => ({ path: `/${name}`, title }))
            : [],
        default: { explicit: path !== '', path },
      });
    },
  );
};
