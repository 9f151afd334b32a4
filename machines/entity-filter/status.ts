import { z } from 'zod';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { type EntityFilterContext, showings } from './events.ts';
import { setOf } from './sets.ts';

const count = once(() => z.int().min(0));

const EntityFilter = once(() =>
  z
    .object({
      learning: z.boolean().meta({ description: 'Whether the panel learns what each dashboard shows.' }),
      showing: z.enum(showings).meta({
        description:
          'Which states the dashboard on the screen receives. `unbounded`: all, since what it shows cannot be determined; `fallback`: all, since its subscription could not be filtered.',
      }),
      no_filter: z
        .enum(['reading', 'not-chosen', 'no-renderer', 'signed-out'])
        .nullable()
        .meta({ description: 'Why nothing is filtered.' }),
      unbounded: z
        .object({
          view: z.string().nullable().meta({ description: 'Its view; null for the dashboard itself.' }),
          card: z.string().nullable().meta({ description: 'The kind of its card.' }),
        })
        .nullable()
        .meta({ description: 'The place that keeps the dashboard unfiltered.' }),
      entities: count().nullable().meta({
        description: 'Ids in its set, including ones missing in Home Assistant; null for all.',
      }),
      dashboards: count().meta({ description: 'Dashboards that were learned.' }),
      scanning: z.boolean().meta({ description: 'Whether a dashboard is being scanned.' }),
      scan_failure: z.string().nullable().meta({ description: 'Why the newest scan failed.' }),
      holding: z.boolean().meta({ description: 'Whether the dashboard waits for its first scan, 20 s at most.' }),
      modifiedSubscriptions: count().meta({ description: 'Subscriptions of the page that were filtered.' }),
      failures: count().meta({ description: 'Subscriptions that could not be filtered.' }),
      directFallbacks: count().meta({ description: 'Subscriptions sent unfiltered.' }),
    })
    .meta({ id: 'EntityFilter', description: 'Which states the dashboard receives; without entity ids.' }),
);

function viewOf(facts: EntityFilterContext): z.output<ReturnType<typeof EntityFilter>> {
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

/** Null while the actor restarts, or if this panel does not have it. */
export const status = statusSection({
  reads: ['entity-filter'],
  shape: () => ({ entity_filter: EntityFilter().nullable() }),
  view: ({ read }) => {
    const facts = read('entity-filter');
    return { entity_filter: facts === undefined ? null : viewOf(facts) };
  },
});
