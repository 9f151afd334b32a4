import { z } from 'zod';
import type { SensorId } from '#machines/sensors/events.ts';
import { shownValue } from '#machines/sensors/ranges.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { Maturity, Origin } from '#routes/profiles/shapes.ts';
import { proximityOf } from '#routes/proximity.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { once } from '#machines/kit/once.ts';
import { CapabilityRow } from '#machines/kit/status.ts';

const Info = once(() =>
  z
    .object({
      product: z.literal('Sconce').meta({ description: 'Always `Sconce`.' }),
      version: z.string().meta({ description: 'Semantic versioning.' }),
      build: z.string().meta({ description: 'Eight hex digits that change with each build.' }),
      panel_id: z.string().meta({ description: '1 to 63 of a to z, 0 to 9 and _; "" until it is known.' }),
      friendly_name: z.string().meta({ description: 'Its name for people.' }),
      manufacturer: z.string().meta({ description: 'Maker of the hardware; "" while unknown.' }),
      model: z.string().meta({ description: 'Model of the hardware; "" while unknown.' }),
      system: z.string().meta({ description: 'Operating system with its version; "" while unknown.' }),
      profile: z
        .object({
          id: z.string().meta({ description: 'Lower-case name of the profile.' }),
          title: z.string().meta({ description: 'Its name for people.' }),
          simulated: z.boolean().meta({ description: 'True if no hardware is touched.' }),
          version: z.string().meta({ description: 'Its version, as the profile states it.' }),
          origin: Origin(),
          maturity: Maturity(),
          revision: z
            .string()
            .meta({ description: 'SHA-256 of the exact bytes of the profile; empty for the emergency profile.' }),
        })
        .meta({ description: 'The profile that runs.' }),
      capabilities: z.array(CapabilityRow()).meta({ description: 'As in the status document.' }),
    })
    .meta({ id: 'Info', description: 'Who this panel is and what it can do.' }),
);

const present = once(() => z.boolean().meta({ description: 'True if the profile has one.' }));
const age = once(() =>
  z.int().nullable().optional().meta({ description: 'Seconds since the last plausible reading.' }),
);

const Sensors = once(() =>
  z
    .object({
      light: z
        .object({
          present: present(),
          lux: z.number().nullable().optional().meta({ description: 'Lux.' }),
          age_s: age(),
        })
        .meta({ description: 'Light in the room; null while the sensor is gone or gives no plausible value.' }),
      proximity: z
        .object({
          present: present(),
          near: z.boolean().nullable().optional().meta({ description: 'True if a person is near.' }),
          level: z.int().nullable().optional().meta({ description: '0 far to 100 near.' }),
        })
        .meta({ description: 'Null until the sensor was calibrated.' }),
      temperature: z
        .object({
          present: present(),
          c: z.number().nullable().optional().meta({ description: 'Degrees Celsius.' }),
          age_s: age(),
        })
        .meta({ description: 'With the owner’s correction, one decimal.' }),
      humidity: z
        .object({
          present: present(),
          pct: z.int().nullable().optional().meta({ description: 'Percent.' }),
          age_s: age(),
        })
        .meta({ description: 'With the owner’s correction.' }),
      volume_pct: z.int().min(-1).max(100).meta({ description: '0 to 100, -1 unknown.' }),
      brightness: z.int().min(-1).max(255).meta({ description: '0 to 255 as seen, 0 while dark, -1 unknown.' }),
    })
    .meta({
      id: 'Sensors',
      description: 'Bounded sensor state; a sensor that is not `present` has no other fields.',
    }),
);

/** One sensor; absent if the profile declares none, null if it has no plausible value now. */
function sensorOf<T extends object>(
  deps: RouteDeps,
  id: SensorId,
  name: (value: number | null) => T,
): { present: false } | ({ present: true; age_s: number | null } & T) {
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
}

export const panelRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getInfo',
      method: 'get',
      path: '/api/v1/info',
      tag: 'panel',
      summary: 'Panel identity and capabilities',
      description: 'Who the panel is, its profile, and its verdict on each capability.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({ 200: json('The panel.', Info()) }),
      problems: [],
    },
    ({ answer }) => {
      const identity = deps.registry.read('identity')?.context;
      const profile = deps.registry.read('active-profile')?.context;
      const info: z.infer<ReturnType<typeof Info>> = {
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
      description: 'The last plausible reading of each sensor; a missing reading is null, never 0.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({ 200: json('The sensors.', Sensors()) }),
      problems: [],
    },
    ({ answer }) => {
      const screen = deps.registry.read('screen')?.context;
      const volume = deps.registry.read('volume')?.context;
      const proximity = proximityOf(deps);
      const sensors: z.infer<ReturnType<typeof Sensors>> = {
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
