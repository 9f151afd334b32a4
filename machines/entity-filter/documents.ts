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

const noFilter = once(() =>
  z
    .enum(['reading', 'not-chosen', 'no-renderer', 'signed-out'])
    .nullable()
    .meta({ description: 'Why nothing is filtered; null while the filter is on.' }),
);

export const FilterDocument = once(() =>
  z
    .object({
      enabled: z.boolean().meta({ description: 'Whether the dashboard receives a set of its own.' }),
      mode: z
        .enum(['automatic', 'manual'])
        .meta({ description: 'Where the sets come from: learned by the panel, or your own list.' }),
      entity_count: count().meta({
        description:
          'Ids in its set: `active_count` plus `missing_count` of the synchronisation; 0 while it receives everything.',
      }),
      filter_hash: z
        .string()
        .nullable()
        .meta({ description: 'First 8 bytes of the SHA-256 of the sorted ids, one per line; null without a set.' }),
      no_filter: noFilter(),
      runtime: z
        .object({
          active: z.boolean().meta({ description: 'Whether the newest subscription of the page was filtered.' }),
          mode: z.literal('native_socket').meta({ description: 'How the page is filtered.' }),
          modifiedSubscriptions: count().meta({ description: 'Subscriptions that were filtered.' }),
          failures: count().meta({ description: 'Subscriptions that could not be filtered.' }),
          directFallbacks: count().meta({ description: 'Subscriptions sent unfiltered because of that.' }),
        })
        .meta({ description: 'Subscriptions of the page.' }),
      learning: z
        .object({
          enabled: z.boolean().meta({ description: 'Whether the panel learns what dashboards show.' }),
          auto_static: z.boolean().meta({ description: 'Learns from the configuration of dashboards.' }),
          auto_runtime: z.boolean().meta({ description: 'Learns from what the page reads.' }),
        })
        .meta({ description: 'What is learned.' }),
    })
    .meta({ id: 'DashboardFilter', description: 'Which entities the dashboard receives.' }),
);
export type FilterDocument = z.infer<ReturnType<typeof FilterDocument>>;

export const EntityRow = once(() =>
  z
    .object({
      entity_id: z.string().meta({ description: 'Its id.' }),
      name: z.string().nullable().meta({ description: 'Its friendly name at the newest scan, if any.' }),
      subscribed: z.boolean().meta({ description: 'Whether its id belongs to the set, also while it is missing.' }),
      override: z.enum(overrides).meta({ description: 'Your decision.' }),
      missing: z.boolean().meta({ description: 'Whether it is missing in Home Assistant.' }),
      misses: count().meta({ description: 'Consecutive scans that did not find it; at 3 it is removed.' }),
      reasons: z
        .array(z.object({ source: z.enum(sources).meta({ description: 'Where it was found.' }), ...place() }))
        .readonly()
        .meta({ description: 'Why it belongs to the set, at most three.' }),
    })
    .meta({ id: 'DashboardEntity', description: 'An entity of a dashboard.' }),
);
export type EntityRow = z.infer<ReturnType<typeof EntityRow>>;

export const EntityList = once(() =>
  z
    .object({
      items: z.array(EntityRow()).readonly().meta({ description: 'The entities.' }),
      limit: count().meta({ description: 'As requested.' }),
      offset: count().meta({ description: 'As requested.' }),
      total: count().meta({ description: 'Number of entities before paging.' }),
    })
    .meta({ id: 'DashboardEntities', description: 'One page of the entities of a dashboard.' }),
);
export type EntityList = z.infer<ReturnType<typeof EntityList>>;

export const SyncDocument = once(() =>
  z
    .object({
      dashboard: z.string().nullable().meta({ description: 'First segment of its path; null while none is known.' }),
      title: z
        .string()
        .nullable()
        .meta({ description: 'Its name in the sidebar, else its path in words; null as above.' }),
      showing: z.enum(showings).meta({ description: 'How it is shown.' }),
      no_filter: noFilter(),
      learning: z.boolean().meta({ description: 'Whether the panel learns what dashboards show.' }),
      total_count: count().nullable().meta({ description: 'Entities that Home Assistant has; null while unknown.' }),
      active_count: count()
        .nullable()
        .meta({ description: 'Entities that it receives and that exist in Home Assistant; null for all.' }),
      missing_count: count().nullable().meta({
        description: 'Further ids in its set that are missing in Home Assistant; null while it receives everything.',
      }),
      learned_count: count().meta({
        description: 'Existing entities that an activation would send.',
      }),
      scanned_at: at().meta({ description: 'Time of its last scan.' }),
      scan: z
        .object({
          step: z.literal([1, 2]).meta({ description: '1: reading entities. 2: building the set.' }),
          entities: count().meta({ description: 'Entities read so far.' }),
          since: z.int().meta({ description: 'Start of the scan.' }),
        })
        .nullable()
        .meta({ description: 'The running scan, if any.' }),
      scan_failure: z
        .enum(['signed-out', 'unreachable', 'busy', 'no-answer'])
        .nullable()
        .meta({ description: 'Why the newest scan failed.' }),
      ...counts(),
      automatic_activation_blocked: z.boolean().meta({ description: 'Whether an issue waits for your decision.' }),
      hold_reason: z
        .enum(['synchronizing', 'synchronization', 'authentication', 'decision'])
        .nullable()
        .meta({ description: 'What its set waits for: a scan, a failing scan, a sign-in, or your decision.' }),
      resync_suspended: z.boolean().meta({ description: 'Whether scanning waits for your decision.' }),
      strategy_selector_ignored: z.boolean().meta({ description: 'Whether you ignore that a strategy makes cards.' }),
      fault: z.string().nullable().meta({ description: 'Error of the last save, if any.' }),
      dashboards: z
        .array(
          z.object({
            dashboard: z.string().meta({ description: 'First segment of its path.' }),
            title: z.string().meta({ description: 'Its name in the sidebar, else its path in words.' }),
            is_home: z.boolean().meta({ description: 'Whether it is the home dashboard.' }),
            active_count: count()
              .nullable()
              .meta({ description: 'Entities that it receives and that exist in Home Assistant; null for all.' }),
            scanned_at: at().meta({ description: 'Time of its last scan.' }),
            blocking_issue_count: counts().blocking_issue_count,
          }),
        )
        .meta({ description: 'Every dashboard that was scanned: the home dashboard, then as in the sidebar.' }),
    })
    .meta({ id: 'EntitySync', description: 'How a dashboard is shown and what is known about it.' }),
);
export type SyncDocument = z.infer<ReturnType<typeof SyncDocument>>;

export const ShownIssue = once(() =>
  z
    .object({
      fingerprint: z.string().meta({ description: 'Identifies the issue in a decision; the same in every scan.' }),
      kind: z.enum(issueKinds).meta({ description: 'Kind of issue.' }),
      blocks: z.boolean().meta({ description: 'Whether it keeps the dashboard unfiltered.' }),
      ignored: z.boolean().meta({ description: 'Whether you ignore it.' }),
      ...place(),
      subject: z.string().nullable().meta({ description: 'The missing id, or the file of the code; else null.' }),
    })
    .meta({ id: 'EntityIssue', description: 'An issue of a dashboard to decide on.' }),
);
export type ShownIssue = z.infer<ReturnType<typeof ShownIssue>>;

export const IssueList = once(() =>
  z
    .object({
      items: z.array(ShownIssue()).meta({ description: 'Issues, blocking ones first.' }),
      ...counts(),
      dynamic_expressions: count().meta({ description: 'Templates, which are not evaluated.' }),
    })
    .meta({ id: 'EntityIssues', description: 'Issues of a dashboard to decide on.' }),
);
export type IssueList = z.infer<ReturnType<typeof IssueList>>;

export const FilterChanged = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'The change was saved durably.' }),
      dashboard: SyncDocument().shape.dashboard,
      active_count: SyncDocument().shape.active_count,
      learned_count: SyncDocument().shape.learned_count,
    })
    .meta({ id: 'EntityFilterChanged', description: 'What a dashboard receives after a change.' }),
);
export type FilterChanged = z.infer<ReturnType<typeof FilterChanged>>;
