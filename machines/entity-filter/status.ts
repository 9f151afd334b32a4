import { z } from 'zod';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { type EntityFilterContext, showings } from './events.ts';
import { setOf } from './sets.ts';

const count = once(() => z.int().min(0));

/** The filter of entities in the status document. */
const EntityFilter = once(() =>
  z
    .object({
      learning: z.boolean().meta({ description: 'Whether the panel learns what each dashboard shows.' }),
      showing: z.enum(showings).meta({
        description:
          'How the dashboard on the screen is sent states. `unbounded`: all, since it shows what it finds; `fallback`: all, since the page could not be cut.',
      }),
      no_filter: z
        .enum(['reading', 'not-chosen', 'no-renderer', 'signed-out'])
        .nullable()
        .meta({ description: 'Why there is no filter.' }),
      unbounded: z
        .object({
          view: z.string().nullable().meta({ description: 'Its view; null for the dashboard itself.' }),
          card: z.string().nullable().meta({ description: 'The kind of its card.' }),
        })
        .nullable()
        .meta({ description: 'The place that cannot be bounded.' }),
      entities: count().nullable().meta({
        description: 'Ids that the dashboard is asked for, also of what Home Assistant does not have; null for all.',
      }),
      dashboards: count().meta({ description: 'Dashboards that were learned.' }),
      scanning: z.boolean().meta({ description: 'Whether a dashboard is being scanned.' }),
      scan_failure: z.string().nullable().meta({ description: 'Why the newest scan failed.' }),
      holding: z.boolean().meta({ description: 'Whether the dashboard waits for its first scan, 20 s at most.' }),
      modifiedSubscriptions: count().meta({ description: 'Subscriptions of the page that were cut.' }),
      failures: count().meta({ description: 'Those that could not be cut.' }),
      directFallbacks: count().meta({ description: 'Those that went out whole.' }),
    })
    .meta({ id: 'EntityFilter', description: 'Which states the dashboard is sent; no names of entities.' }),
);

/** What is told of it. */
function project(facts: EntityFilterContext): z.output<ReturnType<typeof EntityFilter>> {
  const { dashboard, dashboards, sets, runtime, showing } = facts;
  const learned = dashboards.find((one) => one.dashboard === dashboard);
  const blocking = learned?.issues.find(({ blocks, fingerprint }) => blocks && !learned.ignored.includes(fingerprint));
  return {
    learning: facts.learning,
    showing,
    no_filter: facts.noFilter,
    unbounded: showing === 'unbounded' && blocking !== undefined ? blocking.place : null,
    entities: showing === 'filtered' ? (setOf(sets, dashboard)?.length ?? null) : null,
    dashboards: dashboards.length,
    scanning: facts.scan !== null,
    scan_failure: facts.scanFailure,
    holding: facts.holdSince !== null,
    modifiedSubscriptions: runtime.modifiedSubscriptions,
    failures: runtime.failures,
    directFallbacks: runtime.directFallbacks,
  };
}

/** The filter's field of the status document; null while its part is being restarted, or not of this panel. */
export const status = statusSection({
  reads: ['entity-filter'],
  shape: () => ({ entity_filter: EntityFilter().nullable() }),
  view: ({ read }) => {
    const facts = read('entity-filter');
    return { entity_filter: facts === undefined ? null : project(facts) };
  },
});
