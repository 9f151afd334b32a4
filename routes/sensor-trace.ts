import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { TRACE_POINTS, type TracePoint } from '#machines/kit/trace.ts';
import { sensorIds } from '#machines/sensors/events.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { textOrJson } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';

/** The sensors that keep a trace, with the unit of each; for proximity it is the level, 0 far to 100 near. */
const units = { illuminance: 'lx', temperature: '°C', humidity: '%', proximity: '%' } as const;
const traced = [...sensorIds, 'proximity'] as const;
type Traced = (typeof traced)[number];

const Query = once(() =>
  z.strictObject({
    format: z.enum(['csv', 'json']).default('csv').meta({ description: 'The format of the readings.' }),
    sensor: z.enum(traced).optional().meta({ description: 'One sensor; all by default.' }),
    since: z
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'Only points after this time, in milliseconds since the Unix epoch.' }),
  }),
);

const Trace = once(() =>
  z
    .object({
      points_kept: z.int().meta({ description: 'Most points that are kept per sensor, in memory only.' }),
      sensors: z
        .array(
          z.object({
            sensor: z.enum(traced).meta({ description: 'Which sensor.' }),
            unit: z.string().meta({ description: 'Unit of its values.' }),
            points: z
              .array(
                z.object({
                  at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
                  value: z.number().nullable().meta({ description: 'Null marks a gap.' }),
                }),
              )
              .meta({ description: 'Oldest first.' }),
          }),
        )
        .meta({ description: 'Those that the profile declares.' }),
    })
    .meta({
      id: 'SensorTrace',
      description:
        'What the sensors of the room measured, and the level of proximity, without the owner’s corrections.',
    }),
);

const traceOf = (deps: RouteDeps, id: Traced, since: number): readonly TracePoint[] =>
  (deps.registry.read(id)?.context.trace ?? []).filter(({ at }) => at > since);

/** Three decimals are finer than any of these sensors. */
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000);

/** The traces that the sensors' actors keep; reading them starts no sampling, so this is an ordinary GET. */
export const sensorTraceRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getSensorTrace',
      method: 'get',
      path: '/api/v1/sensortrace',
      tag: 'panel',
      summary: 'Recent sensor readings',
      description: `The newest ${TRACE_POINTS} readings of each sensor of the room, at most one per second, as measured. They are kept in memory and start over when the agent does. The lines of the CSV are \`time,sensor,value,unit\`; an empty value marks a gap.`,
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      answers: () => ({
        200: textOrJson('The readings.', 'text/csv; charset=utf-8', Trace()),
      }),
      problems: [],
    },
    ({ query, answer }) => {
      const { format, sensor, since } = query;
      const wanted = (sensor === undefined ? traced : [sensor]).filter((id) => deps.registry.ids().includes(id));
      const traces = wanted.map((id) => ({
        sensor: id,
        unit: units[id],
        points: traceOf(deps, id, since).map(({ at, value }) => ({ at, value: rounded(value) })),
      }));
      if (format === 'json') return answer(200, { points_kept: TRACE_POINTS, sensors: traces });
      const lines = traces.flatMap(({ sensor: id, unit, points }) =>
        points.map(({ at, value }) => `${new Date(at).toISOString()},${id},${value ?? ''},${unit}`),
      );
      return answer(200, `${['time,sensor,value,unit', ...lines].join('\r\n')}\r\n`);
    },
  );
};
