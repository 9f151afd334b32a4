import { z } from 'zod';
import { Bundle } from '#machines/config-copies/bundle.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import { exampleBundle, RevisionList } from './shapes.ts';

/** Longest wait for a bundle: the store's own 3 s, and a margin. */
const exportMs: Milliseconds = 5000;

const Query = once(() =>
  z.strictObject({
    include_secrets: z
      .enum(['1'])
      .optional()
      .meta({ description: '`1` adds the credentials that were entered; the sign-in is never among them.' }),
  }),
);

interface SentExport {
  readonly query: z.output<ReturnType<typeof Query>>;
}

/** The configuration as a file, and the earlier ones that the panel keeps. */
export const configCopyDocuments: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'exportConfig',
      method: 'get',
      path: '/api/v1/config/export',
      tag: 'configuration',
      summary: 'The configuration as a file for another panel, or for later',
      description:
        'Every setting and `ha_expose_*` flag as text. Readings, the sign-in and what a person must turn on at the panel are left out; credentials come only with `include_secrets=1`, readable by anyone who has the file.',
      guard: 'ordinary',
      activeQuery: 'include_secrets',
      protects: ({ query }: SentExport) => (query.include_secrets === undefined ? null : 'CONFIG_SECRET_EXPORT'),
      operations: ['CONFIG_SECRET_EXPORT'],
      maxBodyBytes: 0,
      query: Query,
      answers: () => ({
        200: json('The configuration, as an attachment.', Bundle(), {
          headers: { 'Content-Disposition': 'An attachment with the name of the panel.' },
          example: exampleBundle,
        }),
      }),
      problems: ['restarting'],
    },
    async ({ c, query, answer }) => {
      const asked = await deps.registry.ask(
        'config-copies',
        {
          type: 'config.export',
          secrets: query.include_secrets !== undefined,
          from: requestedFrom(c, deps),
          at: deps.now(),
        },
        exportMs,
      );
      if (!asked.ok || asked.value.status === 'unreadable') return restarting('config-copies');
      const { bundle } = asked.value;
      return answer(200, bundle, {
        'Content-Disposition': `attachment; filename="${bundle.exported_by}-config.json"`,
      });
    },
  );
  declare(
    {
      operationId: 'getConfigRevisions',
      method: 'get',
      path: '/api/v1/config/revisions',
      tag: 'configuration',
      summary: 'Earlier configurations that the panel keeps',
      description:
        'Each came into force by one change, or by several within ten seconds. They have no credentials. A reset removes them.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The revisions, newest first.', RevisionList(), {
          example: [{ id: 12, exported_at: '1767225600000', keys: 9, changed: ['dashboard_zoom'] }],
        }),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const copies = deps.registry.read('config-copies')?.context;
      if (copies === undefined) return restarting('config-copies');
      return answer(
        200,
        copies.revisions.map(({ id, savedAt, keys, changed }) => ({
          id,
          exported_at: String(savedAt),
          keys,
          changed,
        })),
      );
    },
  );
};
