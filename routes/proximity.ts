import { z } from 'zod';
import type { Context } from 'hono';
import { refuse } from '#machines/kit/result.ts';
import { CalibrationBody } from '#machines/proximity/accept.ts';
import { judgeAction } from '#machines/proximity/decide.ts';
import { ProximityDocument } from '#machines/proximity/document.ts';
import { documentOf } from '#machines/proximity/view.ts';
import { type ProximitySnapshot, proximitySnapshot } from '#machines/proximity/snapshot.ts';
import { json } from '#routes/kit/answer.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { Problem, restarting } from '#routes/kit/problem.ts';

const bodyBytes = 4096;

/** Routes of the continuous learning of earlier builds (contract, "Errors": 410). */
const retired = ['teach', 'test', 'relearn', 'capture', 'threshold', 'sensitivity', 'reset'] as const;
const gone = 'This was removed. The sensor now has a guided calibration: open the page Proximity of this panel.';

/** The sensor as of now; `null` if the profile has none, undefined while its part restarts. */
function readProximity(deps: RouteDeps): ProximitySnapshot | null | undefined {
  const snapshot = deps.registry.read('proximity');
  if (snapshot !== undefined) return proximitySnapshot(snapshot);
  return deps.registry.ids().includes('proximity') ? undefined : null;
}

/** The document of the sensor; undefined while its part restarts. */
export function proximityOf(deps: RouteDeps): ProximityDocument | undefined {
  const view = readProximity(deps);
  return view === undefined ? undefined : documentOf(view, deps.now());
}

/**
 * True if a page of this panel asks. An Origin, if sent, was already checked to be this panel's own; `Sec-Fetch-Site`
 * is only sent to addresses that the browser trusts, which excludes a plain network.
 */
function isFromOwnPage(c: Context<Env>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (c.req.header('x-proximity-ui') !== '1' || (site !== undefined && site !== 'same-origin')) return false;
  return site === 'same-origin' || c.req.header('origin') !== undefined;
}

/** The proximity sensor and its guided calibration. */
export const proximityRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getProximity',
      method: 'get',
      path: '/api/v1/proximity',
      tag: 'proximity',
      summary: 'The proximity sensor and its calibration',
      description:
        'Near and level are null until a person has calibrated the sensor here, and while a calibration runs.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The sensor; `present` is false if there is none.', ProximityDocument()),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const now = proximityOf(deps);
      return now === undefined ? restarting('proximity') : answer(200, now);
    },
  );
  declare(
    {
      operationId: 'calibrateProximity',
      method: 'post',
      path: '/api/v1/proximity/calibration',
      tag: 'proximity',
      summary: 'Take a step of the guided calibration',
      description:
        'For the panel’s own page: with the header `X-Proximity-UI: 1` and the origin that a browser sends. `start` opens a session, `begin` starts its countdown, `heartbeat` is due every 5 s (after 30 s without one the session ends), `cancel` ends it, `save` saves the reviewed result, `reset` deletes the calibration of this sensor. The sensor’s own readings decide everything in between.',
      guard: 'write',
      protects: null,
      maxBodyBytes: bodyBytes,
      admit: (c) =>
        isFromOwnPage(c)
          ? null
          : refuse(
              'not-the-panels-page',
              'Only the page Proximity of this panel may do that, since a person has to be in front of it. Open it in a browser.',
            ),
      headers: () =>
        z.object({
          'x-proximity-ui': z
            .string()
            .optional()
            .meta({ description: '`1`: the request comes from the panel’s own page.' }),
        }),
      body: () => ({
        description: 'One step.',
        schema: CalibrationBody(),
        refusal: { code: 'bad-value', fields: { action: 'bad-action' } },
        example: { action: 'start' },
      }),
      answers: () => ({
        202: json('Accepted; the sensor as it is now.', ProximityDocument()),
        409: json(
          'Not accepted at this stage: the sensor as it is now. Or no sensor is being read: `proximity_source_required`.',
          z.union([ProximityDocument(), Problem()]),
        ),
      }),
      problems: ['not-the-panels-page', 'proximity_source_required', 'restarting'],
    },
    ({ body, answer }) => {
      const before = readProximity(deps);
      if (before === undefined) return restarting('proximity');
      if (before?.source == null)
        return refuse(
          'proximity_source_required',
          'No proximity sensor is being read. Its card on the status page says what is missing.',
        );
      const { action, sessionId = null } = body;
      const judged = judgeAction(before, action, sessionId);
      if (judged.ok && deps.registry.tell('proximity', { type: 'calibration.asked', action, sessionId }) === 'absent')
        return restarting('proximity');
      const after = proximityOf(deps);
      return after === undefined ? restarting('proximity') : answer(judged.ok ? 202 : 409, after);
    },
  );
  for (const method of ['get', 'post'] as const) {
    for (const name of retired) {
      declare(
        {
          operationId: `${method}Retired${name.charAt(0).toUpperCase()}${name.slice(1)}`,
          method,
          path: `/api/v1/proximity/${name}`,
          tag: 'proximity',
          summary: 'Retired',
          description: 'From an earlier build: answers 410.',
          deprecated: true,
          guard: method === 'get' ? 'ordinary' : 'write',
          protects: null,
          maxBodyBytes: bodyBytes,
          answers: () => ({}),
          problems: ['gone'],
        },
        () => refuse('gone', gone),
      );
    }
  }
};
