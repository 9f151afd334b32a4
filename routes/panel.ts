import { z } from '@hono/zod-openapi';
import { profileMaturities } from '#machines/profiles/reading.ts';
import type { SensorId } from '#machines/sensors/events.ts';
import { shownValue } from '#machines/sensors/ranges.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { proximityOf } from '#routes/proximity.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { CapabilityRow } from '#machines/kit/status.ts';

const Info = z
  .object({
    product: z.literal('Sconce'),
    version: z.string(),
    build: z.string(),
    panel_id: z.string(),
    friendly_name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    system: z.string(),
    profile: z.object({
      id: z.string(),
      title: z.string(),
      simulated: z.boolean(),
      version: z.string(),
      origin: z.enum(['bundled', 'local']),
      maturity: z.enum(profileMaturities),
      revision: z
        .string()
        .meta({ description: 'SHA-256 of the exact bytes of the profile; empty for the emergency profile.' }),
    }),
    capabilities: z.array(CapabilityRow),
  })
  .meta({ id: 'Info', description: 'Who this panel is and what it can do.' });

const age = z
  .number()
  .int()
  .nullable()
  .optional()
  .meta({ description: 'Seconds since the last reading that can be believed.' });

const Sensors = z
  .object({
    light: z.object({ present: z.boolean(), lux: z.number().nullable().optional(), age_s: age }).meta({
      description:
        'When `present` is false the rest is left out. The value is null while the sensor is gone or gives nothing that can be true.',
    }),
    proximity: z
      .object({
        present: z.boolean(),
        near: z.boolean().nullable().optional(),
        level: z.number().int().nullable().optional(),
      })
      .meta({ description: 'Null until the sensor was calibrated.' }),
    temperature: z
      .object({ present: z.boolean(), c: z.number().nullable().optional(), age_s: age })
      .meta({ description: 'Degrees Celsius with the owner’s correction, one decimal.' }),
    humidity: z
      .object({ present: z.boolean(), pct: z.number().int().nullable().optional(), age_s: age })
      .meta({ description: 'Percent with the owner’s correction.' }),
    volume_pct: z.number().int().min(-1).max(100).meta({ description: '0 to 100, -1 unknown.' }),
    brightness: z.number().int().min(-1).max(255).meta({ description: '0 to 255 as seen, 0 while dark, -1 unknown.' }),
  })
  .meta({ id: 'Sensors', description: 'Bounded sensor state.' });

/** One sensor; absent where the profile declares none, null where nothing can be trusted now. */
const sensorOf = <T extends object>(
  deps: RouteDeps,
  id: SensorId,
  name: (value: number | null) => T,
): { present: false } | ({ present: true; age_s: number | null } & T) => {
  if (!deps.registry.ids().includes(id)) return { present: false };
  const sensor = deps.registry.read(id)?.context;
  if (sensor?.shown === false) return { present: false };
  const value = sensor === undefined ? null : shownValue(id, sensor.measured, sensor.offset);
  const at = sensor?.at ?? null;
  return {
    present: true,
    ...name(value),
    age_s: at === null ? null : Math.max(0, Math.round((deps.now() - at) / 1000)),
  };
};

/** Identity, capabilities and sensors of the panel. */
export const panelRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getInfo',
      method: 'get',
      path: '/api/v1/info',
      tag: 'panel',
      summary: 'Panel identity and capabilities',
      description: 'Who the panel is, which profile it runs with, and its verdict on each thing it could do.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: { 200: json('The panel.', Info) },
      problems: [],
    },
    ({ answer }) => {
      const identity = deps.registry.read('identity')?.context;
      const profile = deps.registry.read('profile')?.context;
      const info: z.infer<typeof Info> = {
        product: 'Sconce',
        version: deps.version,
        build: deps.build,
        panel_id: identity?.panelId ?? '',
        friendly_name: identity?.friendlyName ?? '',
        manufacturer: identity?.manufacturer ?? '',
        model: identity?.model ?? '',
        system: identity?.system ?? '',
        profile: {
          id: profile?.id ?? '',
          title: profile?.title ?? '',
          simulated: profile?.simulated ?? false,
          version: profile?.version ?? '',
          origin: profile?.origin ?? 'bundled',
          maturity: profile?.maturity ?? 'draft',
          revision: profile?.hash ?? '',
        },
        capabilities: readStatus(deps).capabilities,
      };
      return answer(200, info);
    },
  );
  declare(
    {
      operationId: 'getSensors',
      method: 'get',
      path: '/api/v1/sensors',
      tag: 'panel',
      summary: 'Sensor state',
      description: 'The last believable reading of each sensor; a reading that is not there is null, never 0.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: { 200: json('The sensors.', Sensors) },
      problems: [],
    },
    ({ answer }) => {
      const screen = deps.registry.read('screen')?.context;
      const volume = deps.registry.read('volume')?.context;
      const proximity = proximityOf(deps);
      const sensors: z.infer<typeof Sensors> = {
        light: sensorOf(deps, 'illuminance', (lux) => ({ lux })),
        proximity:
          proximity?.present === true
            ? { present: true, near: proximity.near, level: proximity.level }
            : { present: false },
        temperature: sensorOf(deps, 'temperature', (celsius) => ({ c: celsius })),
        humidity: sensorOf(deps, 'humidity', (pct) => ({ pct })),
        volume_pct: volume?.percent ?? -1,
        brightness: screen?.lit === false ? 0 : (screen?.brightness ?? -1),
      };
      return answer(200, sensors);
    },
  );
};
