import { z } from 'zod';
import { showings } from './events.ts';
import { issueKinds, overrides, sources } from './persisted.ts';
import { once } from '../kit/once.ts';

const count = once(() => z.int().min(0));
const at = once(() => z.int().nullable());
const place = once(() => ({
  view: z.string().nullable().meta({ description: 'Title, path or number of the view; null for the dashboard.' }),
  card: z.string().nullable().meta({ description: 'Kind of the card; null for the view itself.' }),
}));
const counts = once(() => ({
  dashboard_issue_count: count().meta({ description: 'Issues that are not ignored.' }),
  blocking_issue_count: count().meta({ description: 'Of these, those that keep the dashboard from being filtered.' }),
  ignored_issue_count: count().meta({ description: 'Issues that the owner ignores.' }),
}));

/** Why there is no filter at all; null where there is one. */
const noFilter = once(() =>
  z
    .enum(['reading', 'not-chosen', 'no-renderer', 'signed-out'])
    .nullable()
    .meta({ description: 'Why there is no filter at all; null where there is one.' }),
);

/** The filter as a whole. */
export const FilterDocument = once(() =>
  z
    .object({
      enabled: z.boolean().meta({ description: 'Whether the dashboard is sent a set of its own.' }),
      mode: z.enum(['automatic', 'manual']).meta({ description: 'Who makes the sets: the panel, or your own list.' }),
      entity_count: count().meta({
        description:
          'Ids that it is asked for, `active_count` and `missing_count` of the synchronisation together; 0 while it is sent everything.',
      }),
      filter_hash: z
        .string()
        .nullable()
        .meta({ description: 'First 8 bytes of the SHA-256 of the sorted ids, a line each; null without a set.' }),
      no_filter: noFilter(),
      runtime: z
        .object({
          active: z.boolean().meta({ description: 'Whether the page was sent a set at its newest subscription.' }),
          mode: z.literal('native_socket').meta({ description: 'How the page is filtered.' }),
          modifiedSubscriptions: count().meta({ description: 'Subscriptions that were cut.' }),
          failures: count().meta({ description: 'Subscriptions that could not be.' }),
          directFallbacks: count().meta({ description: 'Subscriptions that went out whole for that.' }),
        })
        .meta({ description: 'What the page did.' }),
      learning: z
        .object({
          enabled: z.boolean().meta({ description: 'Whether the panel learns by itself.' }),
          auto_static: z.boolean().meta({ description: 'From the configuration of dashboards.' }),
          auto_runtime: z.boolean().meta({ description: 'From what the page reads.' }),
        })
        .meta({ description: 'What is learned.' }),
    })
    .meta({ id: 'DashboardFilter', description: 'Which entities the dashboard is sent.' }),
);
export type FilterDocument = z.infer<ReturnType<typeof FilterDocument>>;

/** One entity of a dashboard. */
export const EntityRow = once(() =>
  z
    .object({
      entity_id: z.string().meta({ description: 'Its id.' }),
      subscribed: z.boolean().meta({ description: 'Whether its id belongs to the set, also while it is missing.' }),
      override: z.enum(overrides).meta({ description: 'What you decided.' }),
      missing: z.boolean().meta({ description: 'Whether Home Assistant does not have it.' }),
      misses: count().meta({ description: 'Scans in a row that did not find it; at 3 it goes.' }),
      reasons: z
        .array(z.object({ source: z.enum(sources).meta({ description: 'Where it was found.' }), ...place() }))
        .readonly()
        .meta({ description: 'Why it belongs to the set, at most three.' }),
    })
    .meta({ id: 'DashboardEntity', description: 'An entity of a dashboard.' }),
);
export type EntityRow = z.infer<ReturnType<typeof EntityRow>>;

/** Some of a dashboard's entities. */
export const EntityList = once(() =>
  z
    .object({
      items: z.array(EntityRow()).readonly().meta({ description: 'The entities.' }),
      limit: count().meta({ description: 'As asked.' }),
      offset: count().meta({ description: 'As asked.' }),
      total: count().meta({ description: 'How many there are in all.' }),
    })
    .meta({ id: 'DashboardEntities', description: 'Some of the entities of a dashboard.' }),
);
export type EntityList = z.infer<ReturnType<typeof EntityList>>;

/** How a dashboard is shown and what is known of it. */
export const SyncDocument = once(() =>
  z
    .object({
      dashboard: z.string().nullable().meta({ description: 'First part of its path; null while none is known.' }),
      showing: z.enum(showings).meta({ description: 'How it is shown.' }),
      no_filter: noFilter(),
      learning: z.boolean().meta({ description: 'Whether the panel learns by itself.' }),
      total_count: count().nullable().meta({ description: 'Entities that Home Assistant has; null while unknown.' }),
      active_count: count()
        .nullable()
        .meta({ description: 'Entities that it is sent, as far as Home Assistant has them; null for all.' }),
      missing_count: count().nullable().meta({
        description:
          'Ids that it is asked for besides, and that Home Assistant does not have; null where it is sent all.',
      }),
      learned_count: count().meta({
        description: 'Entities that an activation would send, as far as Home Assistant has them.',
      }),
      scanned_at: at().meta({ description: 'When it was read last.' }),
      scan: z
        .object({
          step: z.literal([1, 2]).meta({ description: '1: reading entities. 2: building the set.' }),
          entities: count().meta({ description: 'Entities read so far.' }),
          since: z.int().meta({ description: 'When it began.' }),
        })
        .nullable()
        .meta({ description: 'The scan that runs.' }),
      scan_failure: z
        .enum(['signed-out', 'unreachable', 'busy', 'no-answer'])
        .nullable()
        .meta({ description: 'Why the newest scan failed.' }),
      ...counts(),
      automatic_activation_blocked: z.boolean().meta({ description: 'Whether an issue waits for you.' }),
      hold_reason: z
        .enum(['synchronizing', 'synchronization', 'authentication', 'decision'])
        .nullable()
        .meta({ description: 'What its set waits for: a scan, one that fails, a sign-in, or you.' }),
      resync_suspended: z.boolean().meta({ description: 'Whether nothing is read again until you decide.' }),
      strategy_selector_ignored: z.boolean().meta({ description: 'Whether you ignore that a strategy makes cards.' }),
      fault: z.string().nullable().meta({ description: 'What the disk refused last.' }),
      dashboards: z
        .array(
          z.object({
            dashboard: z.string().meta({ description: 'First part of its path.' }),
            active_count: count()
              .nullable()
              .meta({ description: 'Entities that it is sent, as far as Home Assistant has them; null for all.' }),
            scanned_at: at().meta({ description: 'When it was read last.' }),
            blocking_issue_count: counts().blocking_issue_count,
          }),
        )
        .meta({ description: 'Every dashboard that was read.' }),
    })
    .meta({ id: 'EntitySync', description: 'How a dashboard is shown and what is known of it.' }),
);
export type SyncDocument = z.infer<ReturnType<typeof SyncDocument>>;

/** One thing the owner decides on. */
export const ShownIssue = once(() =>
  z
    .object({
      fingerprint: z.string().meta({ description: 'What a decision names, the same in each scan.' }),
      kind: z.enum(issueKinds).meta({ description: 'What it is.' }),
      blocks: z.boolean().meta({ description: 'Whether the dashboard is not filtered for it.' }),
      ignored: z.boolean().meta({ description: 'Whether you ignore it.' }),
      ...place(),
      subject: z.string().nullable().meta({ description: 'The id that is missing, or the file of the code.' }),
    })
    .meta({ id: 'EntityIssue', description: 'Something about a dashboard to decide on.' }),
);
export type ShownIssue = z.infer<ReturnType<typeof ShownIssue>>;

/** Everything the owner decides on. */
export const IssueList = once(() =>
  z
    .object({
      items: z.array(ShownIssue()).meta({ description: 'What blocks first.' }),
      ...counts(),
      dynamic_expressions: count().meta({ description: 'Templates, which are not run.' }),
    })
    .meta({ id: 'EntityIssues', description: 'What there is to decide on.' }),
);
export type IssueList = z.infer<ReturnType<typeof IssueList>>;

/** What a dashboard is sent after a change. */
export const FilterChanged = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is kept, durably.' }),
      dashboard: SyncDocument().shape.dashboard,
      active_count: SyncDocument().shape.active_count,
      learned_count: SyncDocument().shape.learned_count,
    })
    .meta({ id: 'EntityFilterChanged', description: 'What a dashboard is sent after a change.' }),
);
export type FilterChanged = z.infer<ReturnType<typeof FilterChanged>>;
