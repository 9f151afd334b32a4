import type { z } from 'zod';
import type {
  EntityList,
  FilterChanged,
  FilterDocument,
  IssueList,
  SyncDocument,
} from '#machines/entity-filter/shown.ts';
import type { Given } from '#routes/kit/answer.ts';
import type { EntityCatalog, Traffic } from '#routes/entities/shapes.ts';

const at = 1_795_352_460_000;

/** A dashboard that is sent 24 entities. */
export const filterExample: FilterDocument = {
  enabled: true,
  mode: 'automatic',
  entity_count: 24,
  filter_hash: '9f86d081884c7d65',
  no_filter: null,
  runtime: { active: true, mode: 'native_socket', modifiedSubscriptions: 1, failures: 0, directFallbacks: 0 },
  learning: { enabled: true, auto_static: true, auto_runtime: true },
};

/** One entity of it. */
export const listExample: EntityList = {
  items: [
    {
      entity_id: 'light.kitchen',
      subscribed: true,
      override: 'auto',
      missing: false,
      misses: 0,
      reasons: [{ source: 'configuration', view: 'Kitchen', card: 'entities' }],
    },
  ],
  limit: 100,
  offset: 0,
  total: 1,
};

/** How it stands. */
export const syncExample: SyncDocument = {
  dashboard: 'kitchen-panel',
  showing: 'filtered',
  no_filter: null,
  learning: true,
  total_count: 2013,
  active_count: 24,
  missing_count: 0,
  learned_count: 24,
  scanned_at: at,
  scan: null,
  scan_failure: null,
  dashboard_issue_count: 0,
  blocking_issue_count: 0,
  ignored_issue_count: 0,
  automatic_activation_blocked: false,
  hold_reason: null,
  resync_suspended: false,
  strategy_selector_ignored: false,
  fault: null,
  dashboards: [{ dashboard: 'kitchen-panel', active_count: 24, scanned_at: at, blocking_issue_count: 0 }],
};

/** A card that shows what it finds. */
export const issuesExample: IssueList = {
  items: [
    {
      fingerprint: '0f1e2d3c4b5a6978',
      kind: 'enumerating-card',
      blocks: true,
      ignored: false,
      view: 'Kitchen',
      card: 'custom:auto-entities',
      subject: null,
    },
  ],
  dashboard_issue_count: 1,
  blocking_issue_count: 1,
  ignored_issue_count: 0,
  dynamic_expressions: 0,
};

/** A quarter of a minute of a busy house, twice. */
export const trafficExample: Given<z.input<ReturnType<typeof Traffic>>> = {
  seconds: 15,
  all: { frames: 412, bytes: 96_300 },
  filtered: { frames: 9, bytes: 1840 },
};

/** What was learned of one entity. */
export const exportExample: Given<z.input<ReturnType<typeof EntityCatalog>>> = {
  kind: 'sconce-entity-catalog',
  version: 1,
  policy: { auto_static: true, auto_runtime: true },
  manual: { enabled: false, entity_ids: [] },
  dashboards: [
    {
      dashboard: 'kitchen-panel',
      scanned_at: at,
      active: ['light.kitchen'],
      ignored: [],
      members: [
        {
          entity_id: 'light.kitchen',
          override: 'auto',
          exists: true,
          misses: 0,
          evidence: [{ source: 'configuration', place: { view: 'Kitchen', card: 'entities' } }],
        },
      ],
      issues: [],
    },
  ],
};

/** A change that was kept. */
export const changedExample: FilterChanged = {
  ok: true,
  dashboard: 'kitchen-panel',
  active_count: 24,
  learned_count: 24,
};
