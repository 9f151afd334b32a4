import { z } from '@hono/zod-openapi';
import { absentCamera, CameraStatus } from '#machines/camera/status.ts';
import { StatusDocument } from '#machines/status.ts';
import { probes } from '#machines/probes.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem } from '#routes/kit/problem.ts';
import { parkedParts } from '#machines/kit/status.ts';
import { readStatus } from './read-status.ts';
import { diagLines } from './diag.ts';

const text = (description: string): { description: string; type: string; schema: z.ZodString } => ({
  description,
  type: 'text/plain; charset=UTF-8',
  schema: z.string(),
});

/** Health, status, diagnostics and the camera object. */
export const statusRoutes: Family = ({ declare, deps }) => {
  const healthLine = (): string => {
    const identity = deps.registry.read('identity')?.context;
    const settings = deps.registry.read('settings')?.context;
    const panel = identity === undefined || identity.panelId === '' ? '-' : identity.panelId;
    return `sconce ${deps.version} panel=${panel} build=${deps.build} cfg=${settings?.digest ?? '00000000'}\n`;
  };
  for (const path of ['/health', '/api/v1/health']) {
    declare(
      {
        method: 'get',
        path,
        tag: 'status',
        summary: 'Health line',
        description:
          'One line: product, version, `panel=`, `build=` and `cfg=`. The tokens `ha`, `ha_src`, `ha_net*` and `ha_resp` are absent while the panel holds no socket to Home Assistant, which this build never does.',
        guard: 'ordinary',
        protects: null,
        maxBodyBytes: 0,
        answers: { 200: { ...text('The health line.'), headers: noStoreDoc } },
        problems: [],
      },
      (c) => c.text(healthLine(), 200, noStore),
    );
  }
  declare(
    {
      method: 'get',
      path: '/api/v1/status',
      tag: 'status',
      summary: 'Everything the panel knows of itself',
      description:
        'With `refresh=1` hardware and storage are probed again first, and parked parts are tried again; that makes it an active GET.',
      guard: 'ordinary',
      activeQuery: 'refresh',
      protects: null,
      maxBodyBytes: 0,
      query: z.object({ refresh: z.enum(['1']).optional().meta({ description: '`1` looks again before answering.' }) }),
      answers: {
        200: {
          description: 'The status document.',
          type: 'application/json',
          schema: StatusDocument,
          headers: noStoreDoc,
        },
      },
      problems: ['invalid-query'],
    },
    (c) => {
      const refresh = c.req.query('refresh');
      if (refresh !== undefined && refresh !== '1')
        return problem(c, 'invalid-query', 'The parameter "refresh" can only be 1. Leave it out or set it to 1.');
      if (refresh === '1') {
        for (const id of parkedParts(deps.tree())) deps.revive(id);
        for (const { id, event } of probes) deps.registry.tell(id, event);
      }
      return c.json(readStatus(deps), 200, noStore);
    },
  );
  declare(
    {
      method: 'get',
      path: '/api/v1/camera/status',
      tag: 'camera',
      summary: 'The camera object, byte for byte as in the status document',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: {
          description: 'The camera object.',
          type: 'application/json',
          schema: CameraStatus,
          headers: noStoreDoc,
        },
      },
      problems: [],
    },
    (c) =>
      c.json(deps.registry.read('camera')?.context.camera ?? absentCamera, 200, {
        ...noStore,
      }),
  );
  declare(
    {
      method: 'get',
      path: '/api/v1/diag',
      tag: 'status',
      summary: 'Redacted diagnostics as text',
      description: 'Lines with a bracketed head. No addresses, names or identifiers.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: { 200: { ...text('Diagnostics.'), headers: noStoreDoc } },
      problems: [],
    },
    (c) => c.text(diagLines(deps).join('\n') + '\n', 200, noStore),
  );
};
