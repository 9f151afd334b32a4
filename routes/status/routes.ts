import { z } from 'zod';
import { absentCamera, CameraStatus } from '#machines/camera/status.ts';
import { StatusDocument } from '#machines/status.ts';
import { probes } from '#machines/probes.ts';
import { json, jsonText, text } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { parkedParts } from '#machines/kit/status.ts';
import { healthGrammar, HealthLine, healthLines, healthPaths } from './health-line.ts';
import { diagLines } from './diag.ts';
import { readStatus } from './read-status.ts';

export const statusRoutes: Family = ({ declare, deps }) => {
  const healthLine = healthLines(deps);
  for (const [path, operationId, also] of [
    [healthPaths[0], 'getHealth', null],
    [healthPaths[1], 'getHealthAtRoot', `The same as \`${healthPaths[0]}\`.`],
  ] as const) {
    declare(
      {
        operationId,
        method: 'get',
        path,
        tag: 'status',
        summary: 'Health line',
        description: also ?? healthGrammar,
        guard: 'ordinary',
        protects: null,
        maxBodyBytes: 0,
        answers: () => ({
          200: text('The health line.', {
            schema: HealthLine(),
            example:
              'sconce 0.1.0 panel=hall build=abcdef01 cfg=1a2b3c4d ha=normal ha_net=healthy ha_resp=healthy ha_net_p95=12 ha_net_n=30 ha_net_miss=0 ha_net_age=812\n',
          }),
        }),
        problems: [],
      },
      ({ answer }) => answer(200, healthLine()),
    );
  }
  declare(
    {
      operationId: 'getStatus',
      method: 'get',
      path: '/api/v1/status',
      tag: 'status',
      summary: 'Everything the panel knows about itself',
      description:
        '`refresh=1` probes hardware and storage again first, and retries parked parts; that makes it an active GET.',
      guard: 'ordinary',
      activeQuery: 'refresh',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          refresh: z.enum(['1']).optional().meta({ description: '`1` probes again before answering.' }),
        }),
      answers: () => ({
        200: jsonText('The status document.', StatusDocument()),
      }),
      problems: [],
    },
    ({ query, answer }) => {
      if (query.refresh === '1') {
        for (const id of parkedParts(deps.tree())) deps.revive(id);
        for (const { id, event } of probes) deps.registry.tell(id, event);
      }
      return answer(200, deps.status.text());
    },
  );
  declare(
    {
      operationId: 'getCameraStatus',
      method: 'get',
      path: '/api/v1/camera/status',
      tag: 'camera',
      summary: 'The camera object, byte for byte as in the status document',
      description: 'Reading it never opens the camera; `state` says if there is none.',
      guard: 'ordinary',
      protects: null,
      awaitsParts: true,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The camera object.', CameraStatus(), { example: absentCamera }),
      }),
      problems: [],
    },
    ({ answer }) => answer(200, readStatus(deps).camera),
  );
  declare(
    {
      operationId: 'getDiagnostics',
      method: 'get',
      path: '/api/v1/diag',
      tag: 'status',
      summary: 'Redacted diagnostics as text',
      description: 'Lines with a bracketed head. No addresses, names or identifiers.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({ 200: text('Diagnostics.') }),
      problems: [],
    },
    ({ answer }) => answer(200, diagLines(deps).join('\n') + '\n'),
  );
};
