import { z } from 'zod';
import type { EntityFilterContext } from '#machines/entity-filter/events.ts';
import { issueKinds, overrides, sources } from '#machines/entity-filter/persisted.ts';
import { once } from '#machines/kit/once.ts';

const count = once(() => z.int().min(0));
const ids = once(() => z.array(z.string()));

const counted = once(() =>
  z
    .object({
      frames: count().meta({ description: 'Messages.' }),
      bytes: count().meta({ description: 'Bytes in them.' }),
    })
    .meta({ id: 'CountedTraffic', description: 'What came in that time.' }),
);

/** What Home Assistant sends, with and without the filter. */
export const Traffic = once(() =>
  z
    .object({
      seconds: count().meta({ description: 'How long each was counted, in seconds.' }),
      all: counted(),
      filtered: z
        .union([counted(), z.null()])
        .meta({ description: 'The same with the filter; null if the dashboard receives everything.' }),
    })
    .meta({ id: 'EntityTraffic', description: 'What Home Assistant sends, with and without the filter.' }),
);

const place = once(() =>
  z
    .object({
      view: z.string().nullable().meta({ description: 'The view; null for the dashboard.' }),
      card: z.string().nullable().meta({ description: 'The card; null for the view.' }),
    })
    .meta({ id: 'EntityPlace', description: 'Where it is used.' }),
);

/** What was learned and decided, as a file. */
export const EntityCatalog = once(() =>
  z
    .object({
      kind: z.literal('sconce-entity-catalog').meta({ description: 'What this file is.' }),
      version: z.literal(1).meta({ description: 'Version of its format.' }),
      policy: z
        .object({
          auto_static: z.boolean().meta({ description: 'Learns from the configuration.' }),
          auto_runtime: z.boolean().meta({ description: 'Learns from what the page reads.' }),
        })
        .meta({ description: 'What is learned automatically.' }),
      manual: z
        .object({
          enabled: z.boolean().meta({ description: 'True if it is in force.' }),
          entity_ids: ids().meta({ description: 'The ids.' }),
        })
        .meta({ description: 'Your own list.' }),
      dashboards: z
        .array(
          z.object({
            dashboard: z.string().meta({ description: 'First part of its path.' }),
            scanned_at: z.int().nullable().meta({ description: 'When it was last read.' }),
            active: ids().nullable().meta({ description: 'What it receives; null for everything.' }),
            ignored: ids().meta({ description: 'Issues that are ignored.' }),
            members: z
              .array(
                z.object({
                  entity_id: z.string().meta({ description: 'Its id.' }),
                  override: z.enum(overrides).meta({ description: 'Your decision.' }),
                  exists: z.boolean().meta({ description: 'True if Home Assistant has it.' }),
                  misses: count().meta({ description: 'Scans in a row that did not find it.' }),
                  evidence: z
                    .array(
                      z.object({
                        source: z.enum(sources).meta({ description: 'Where it was found.' }),
                        place: z.union([place(), z.null()]).meta({ description: 'Null if there is none.' }),
                      }),
                    )
                    .meta({ description: 'Why it belongs to the set.' }),
                }),
              )
              .meta({ description: 'Its entities.' }),
            issues: z
              .array(
                z.object({
                  fingerprint: z.string().meta({ description: 'The same in each scan.' }),
                  kind: z.enum(issueKinds).meta({ description: 'What it is.' }),
                  blocks: z.boolean().meta({ description: 'True if it keeps the dashboard unfiltered.' }),
                  place: place(),
                  subject: z.string().nullable().meta({ description: 'The id or the file.' }),
                }),
              )
              .meta({ description: 'What there was to decide.' }),
          }),
        )
        .meta({ description: 'Every dashboard that was read.' }),
    })
    .meta({ id: 'EntityCatalog', description: 'What was learned and decided; no server, no account.' }),
);

/** The file: every field is listed here, so that nothing of the account gets into it. */
export const catalogOf = ({
  policy,
  manual,
  dashboards,
}: EntityFilterContext): z.input<ReturnType<typeof EntityCatalog>> => ({
  kind: 'sconce-entity-catalog',
  version: 1,
  policy: { auto_static: policy.auto_static, auto_runtime: policy.auto_runtime },
  manual: { enabled: manual.enabled, entity_ids: [...manual.ids] },
  dashboards: dashboards.map(({ dashboard, scannedAt, active, ignored, members, issues }) => ({
    dashboard,
    scanned_at: scannedAt,
    active: active === null ? null : [...active],
    ignored: [...ignored],
    members: members.map(({ entityId, override, exists, misses, evidence }) => ({
      entity_id: entityId,
      override,
      exists,
      misses,
      evidence: evidence.map((one) => ({
        source: one.source,
        place: one.place === null ? null : { view: one.place.view, card: one.place.card },
      })),
    })),
    issues: issues.map(({ fingerprint, kind, blocks, place: { view, card }, subject }) => ({
      fingerprint,
      kind,
      blocks,
      place: { view, card },
      subject,
    })),
  })),
});
