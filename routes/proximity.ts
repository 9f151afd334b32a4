import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readCalibrationRequest } from '#machines/proximity/accept.ts';
import { judgeAction } from '#machines/proximity/decide.ts';
import { ProximityDocument } from '#machines/proximity/document.ts';
import { calibrationActions } from '#machines/proximity/events.ts';
import { documentOf } from '#machines/proximity/present.ts';
import { type ShownProximity, shownProximity } from '#machines/proximity/shown.ts';
import { readObject } from '#routes/kit/body.ts';
import type { Env } from '#routes/kit/declare.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { Problem, problem, restarting } from '#routes/kit/problem.ts';

const bodyBytes = 4096;

/** Routes of the continuous learning of earlier builds: they answered with text, these with JSON. */
const retiredAsText = ['teach', 'test', 'relearn'] as const;
const retiredAsJson = ['capture', 'threshold', 'sensitivity', 'reset'] as const;
const retired =
  'This is gone. The sensor is set up by a guided calibration now: open the page Proximity of this panel.';

/** The sensor as it is now; `null` where the profile has none, undefined while its part restarts. */
const readProximity = (deps: RouteDeps): ShownProximity | null | undefined => {
  const snapshot = deps.registry.read('proximity');
  if (snapshot !== undefined) return shownProximity(snapshot);
  return deps.registry.ids().includes('proximity') ? undefined : null;
};

/** The document of the sensor; undefined while its part restarts. */
export const proximityOf = (deps: RouteDeps): ProximityDocument | undefined => {
  const view = readProximity(deps);
  return view === undefined ? undefined : documentOf(view, deps.now());
};

/**
 * Whether a page of this panel asks. That an Origin which is there is this panel's own was checked before the request
 * was routed;
 * `Sec-Fetch-Site` is only sent where the browser trusts the address, which it does not on a plain network.
 */
const isFromOwnPage = (c: Context<Env>): boolean => {
  const site = c.req.header('sec-fetch-site');
  if (c.req.header('x-proximity-ui') !== '1' || (site !== undefined && site !== 'same-origin')) return false;
  return site === 'same-origin' || c.req.header('origin') !== undefined;
};

const calibrate = async (c: Context<Env>, deps: RouteDeps): Promise<Response> => {
  if (!isFromOwnPage(c))
    return problem(
      c,
      'not-the-panels-page',
      'Only the page Proximity of this panel may do that, since somebody has to stand in front of it. Open it in a browser.',
    );
  const body = await readObject(c);
  if (!body.ok) return problem(c, body.reason, body.message);
  const asked = readCalibrationRequest(body.value);
  if (!asked.ok) return problem(c, asked.reason, asked.message);
  const before = readProximity(deps);
  if (before === undefined) return restarting(c, 'proximity');
  if (before?.source == null)
    return problem(
      c,
      'proximity_source_required',
      'No proximity sensor is being read. Its card on the status page says what is missing.',
    );
  const { action, sessionId } = asked.value;
  const judged = judgeAction(before, action, sessionId);
  if (judged.ok && deps.registry.tell('proximity', { type: 'calibration.asked', action, sessionId }) === 'absent')
    return restarting(c, 'proximity');
  const after = proximityOf(deps);
  return after === undefined ? restarting(c, 'proximity') : c.json(after, judged.ok ? 202 : 409, noStore);
};

/** The proximity sensor and its guided calibration. */
export const proximityRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'get',
      path: '/api/v1/proximity',
      tag: 'proximity',
      summary: 'The proximity sensor and its calibration',
      description:
        'Near and level are null until a person has calibrated the sensor here, and while a calibration runs.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: {
          description: 'The sensor; `present` false where there is none.',
          type: 'application/json',
          schema: ProximityDocument,
          headers: noStoreDoc,
        },
      },
      problems: ['restarting'],
    },
    (c) => {
      const now = proximityOf(deps);
      return now === undefined ? restarting(c, 'proximity') : c.json(now, 200, noStore);
    },
  );
  declare(
    {
      method: 'post',
      path: '/api/v1/proximity/calibration',
      tag: 'proximity',
      summary: 'Take a step of the guided calibration',
      description:
        'For the panel’s own page: with the header `X-Proximity-UI: 1` and the origin that a browser sends. `start` opens a session, `begin` starts its countdown, `heartbeat` is due every 5 s (after 30 s without one the session ends), `cancel` ends it, `save` keeps what its review shows, `reset` forgets the calibration of this sensor. The sensor’s own readings decide everything in between.',
      guard: 'write',
      protects: null,
      maxBodyBytes: bodyBytes,
      body: {
        description: 'One step.',
        schema: z.strictObject({
          action: z.enum(calibrationActions),
          sessionId: z
            .string()
            .max(64)
            .optional()
            .meta({ description: 'Of the running session; not needed for `start` and `reset`.' }),
        }),
      },
      answers: {
        202: {
          description: 'Accepted; the sensor as it is now.',
          type: 'application/json',
          schema: ProximityDocument,
          headers: noStoreDoc,
        },
        409: {
          description:
            'Not accepted at this stage: the sensor as it is now. Or no sensor is being read: `proximity_source_required`.',
          type: 'application/json',
          schema: z.union([ProximityDocument, Problem]),
          headers: noStoreDoc,
        },
      },
      problems: [
        'not-the-panels-page',
        'invalid-body',
        'bad-action',
        'bad-value',
        'proximity_source_required',
        'restarting',
      ],
    },
    (c) => calibrate(c, deps),
  );
  for (const method of ['get', 'post'] as const) {
    for (const name of retiredAsText) {
      declare(
        {
          method,
          path: `/api/v1/proximity/${name}`,
          tag: 'proximity',
          summary: 'Retired',
          guard: method === 'get' ? 'ordinary' : 'write',
          protects: null,
          maxBodyBytes: bodyBytes,
          answers: { 410: { description: 'Gone.', type: 'text/plain', schema: z.string(), headers: noStoreDoc } },
          problems: [],
        },
        (c) => c.text(`${retired}\n`, 410, noStore),
      );
    }
    for (const name of retiredAsJson) {
      declare(
        {
          method,
          path: `/api/v1/proximity/${name}`,
          tag: 'proximity',
          summary: 'Retired',
          guard: method === 'get' ? 'ordinary' : 'write',
          protects: null,
          maxBodyBytes: bodyBytes,
          answers: {},
          problems: ['gone'],
        },
        (c) => problem(c, 'gone', retired),
      );
    }
  }
};
