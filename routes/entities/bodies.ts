import { z } from 'zod';
import { rowSorts } from '#machines/entity-filter/catalogue.ts';
import { MOST_IDS, overrides } from '#machines/entity-filter/persisted.ts';
import { ENTITY_ID, ENTITY_ID_LENGTH } from '#machines/kit/entity-id.ts';
import { once } from '#machines/kit/once.ts';

/** Largest body of a change in bytes (as panel-assistant): the longest list of ids. */
export const bodyBytes = 4_000_000;
/** Longest first part of a dashboard's path, in characters. */
const pathLength = 255;
/** Longest search text, in characters. */
const searchLength = 100;
/** Most rows in one answer (as panel-assistant). */
const mostRows = 500;
/** Rows in an answer unless the query says otherwise. */
export const usualRows = 100;

const idWords = 'Write an entity id such as light.kitchen: lower-case letters, digits and underscores, with one dot.';
const entityId = once(() =>
  z
    .string({ error: idWords })
    .max(ENTITY_ID_LENGTH, { error: idWords })
    .regex(ENTITY_ID, { error: idWords })
    .meta({ id: 'EntityId', description: 'Id of an entity.' }),
);
const entityIds = once(() => z.array(entityId()).min(1).max(MOST_IDS).meta({ description: 'Ids of entities.' }));

const dashboard = once(() =>
  z
    .string()
    .min(1)
    .max(pathLength)
    .optional()
    .meta({ description: 'First part of its path; by default the one that is shown.' }),
);
const override = once(() => z.enum(overrides).meta({ description: 'Learned, always sent, or never sent.' }));
const force = once(() =>
  z.boolean().default(false).meta({ description: 'Even if that breaks something or adds unknown ids.' }),
);
const confirm = once(() => z.boolean().default(false).meta({ description: 'Confirms the change.' }));

/** Names a dashboard in a query. */
export const DashboardQuery = once(() => z.strictObject({ dashboard: dashboard() }));

/** Selects rows. */
export const EntitiesQuery = once(() =>
  z.strictObject({
    dashboard: dashboard(),
    q: z.string().max(searchLength).default('').meta({ description: 'A part of the id or the name.' }),
    filter: z
      .enum(['subscribed', 'active', 'candidate', 'review', 'all', 'excluded', 'missing'])
      .default('subscribed')
      .meta({
        description:
          'Which of them; `subscribed` are those of the set that Home Assistant has, `active` is an older name for it.',
      }),
    sort: z.enum(rowSorts).default('entity_id').meta({ description: 'What they are sorted by.' }),
    dir: z.enum(['asc', 'desc']).default('asc').meta({ description: 'The smallest or the largest first.' }),
    limit: z.int().min(1).max(mostRows).default(usualRows).meta({ description: 'How many.' }),
    offset: z.int().min(0).max(MOST_IDS).default(0).meta({ description: 'How many to skip.' }),
  }),
);

/** How long traffic is counted. */
export const TrafficQuery = once(() =>
  z.strictObject({
    dashboard: dashboard(),
    seconds: z.int().min(1).max(30).default(15).meta({ description: 'How long to count each, in seconds.' }),
  }),
);

/** Turns the filter on or off, or sets the owner's list. */
export const FilterBody = once(() =>
  z
    .strictObject({
      enabled: z.boolean().optional().meta({ description: 'On, which is the default, or off.' }),
      mode: z
        .enum(['automatic', 'manual'])
        .optional()
        .meta({ description: 'Who makes the sets; by default `manual` if ids are given, otherwise unchanged.' }),
      entity_ids: entityIds().optional(),
    })
    .superRefine(({ enabled, mode, entity_ids: ids }, ctx) => {
      if (mode === 'automatic' && ids !== undefined)
        ctx.addIssue({
          code: 'custom',
          path: ['entity_ids'],
          message: 'With mode automatic the panel makes the list. Leave entity_ids out, or send mode manual.',
        });
      if (enabled === undefined && mode === undefined && ids === undefined)
        ctx.addIssue({
          code: 'custom',
          path: ['enabled'],
          message: 'Send enabled, mode or entity_ids: none was sent.',
        });
    })
    .meta({ id: 'ChangeEntityFilter', description: 'On or off, and who makes the sets; at least one field.' }),
);
/** The fields of it that a form can carry. */
export const FilterForm = once(() =>
  z.strictObject({ enabled: FilterBody().shape.enabled, mode: FilterBody().shape.mode }),
);

/** Decides an issue. */
export const IssueBody = once(() =>
  z
    .strictObject({
      fingerprint: z
        .string()
        .regex(/^[a-f0-9]{16}$/, { error: 'An issue is named by its fingerprint: 16 lower-case hexadecimal digits.' })
        .meta({ description: 'Of the issue.' }),
      ignored: z.boolean().meta({ description: 'True if it is ignored from now on.' }),
    })
    .meta({ id: 'DecideEntityIssue', description: 'A decision about an issue.' }),
);

/** Which dashboard to read again. */
export const SyncBody = once(() =>
  z.strictObject({ dashboard: dashboard() }).meta({ id: 'SyncEntities', description: 'Which dashboard to read.' }),
);

/** Applies the learned set to a dashboard. */
export const ActivateBody = once(() =>
  z
    .strictObject({ confirm: confirm(), dashboard: dashboard() })
    .meta({ id: 'ActivateEntities', description: 'The confirmation, in case one is required.' }),
);

/** Chooses what is learned automatically. */
export const PolicyBody = once(() =>
  z
    .strictObject({
      auto_static: z.boolean().meta({ description: 'From the configuration of dashboards.' }),
      auto_runtime: z.boolean().meta({ description: 'From what the page reads.' }),
    })
    .meta({ id: 'EntityPolicy', description: 'What is learned automatically.' }),
);

/** A decision about one entity. */
export const OverrideBody = once(() =>
  z
    .strictObject({ entity_id: entityId(), override: override(), force: force(), dashboard: dashboard() })
    .meta({ id: 'OverrideEntity', description: 'A decision about one entity.' }),
);

/** A decision about several entities. */
export const OverridesBody = once(() =>
  z
    .strictObject({
      entity_ids: entityIds().optional(),
      all_candidates: z.boolean().optional().meta({ description: 'All that are not in the set, instead of ids.' }),
      override: override(),
      force: force(),
      dashboard: dashboard(),
    })
    .superRefine(({ entity_ids: ids, all_candidates: all = false }, ctx) => {
      if ((ids !== undefined) === all)
        ctx.addIssue({
          code: 'custom',
          path: ['entity_ids'],
          message: 'Send entity_ids, or all_candidates: true, not both.',
        });
    })
    .meta({ id: 'OverrideEntities', description: 'A decision about several entities.' }),
);

/** Forgets everything. */
export const ResetBody = once(() =>
  z
    .strictObject({
      confirm: confirm(),
      clear_filter: z.boolean().default(false).meta({ description: 'Also clears what dashboards receive now.' }),
    })
    .meta({ id: 'ResetEntities', description: 'The confirmation.' }),
);
