import { z } from 'zod';

import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { permissionsOf, permissionWords } from './permissions.ts';
import { assessPower } from './power-safety.ts';

const permission = once(() => z.enum(permissionWords));
const android = once(() =>
  permission().meta({ id: 'AndroidRight', description: 'A right of Android apps: `not_required` here.' }),
);
const unread = once(() => z.int().nullable().meta({ description: 'Null: not read here.' }));
const unknown = once(() => z.boolean().nullable().meta({ description: 'Null: not read here.' }));
const not = (what: string) => z.boolean().meta({ description: `False: ${what}.` });

const Permissions = once(() =>
  z
    .object({
      notifications: android(),
      write_settings: android(),
      overlay: android(),
      accessibility: android(),
      microphone: permission().meta({ description: '`not_required`: nothing listens.' }),
      camera: permission().meta({ description: 'Whether a camera of this panel may be opened.' }),
    })
    .meta({ id: 'Permissions', description: 'The rights of the agent.' }),
);

const PowerSafety = once(() =>
  z
    .object({
      state: z
        .enum(['safe', 'caution', 'at_risk', 'unknown'])
        .meta({ description: 'Whether the panel stays reachable; `unknown`: this version does not assess it.' }),
      warning: z.boolean().meta({ description: 'Whether `state` is not `safe`.' }),
      summary: z.string().meta({ description: 'One sentence.' }),
      action: z.string().meta({ description: 'What to do; `none` for nothing.' }),
      repair_capability: z
        .enum(['direct_root', 'degraded', 'app_only'])
        .meta({ description: '`app_only`: Sconce only has its own rights.' }),
      repair_available: not('there is nothing to repair'),
      manual_only: not('there is nothing to repair'),
      acknowledge_available: not('there is nothing to acknowledge'),
      acknowledged: not('there is nothing to acknowledge'),
      acknowledgement_fingerprint: z
        .string()
        .nullable()
        .meta({ description: 'Null: there is nothing to acknowledge.' }),
      reason_codes: z.array(z.string()).meta({ description: 'Empty while nothing is assessed.' }),
      keep_awake_configured: not('there is no such setting'),
      wake_lock_held: not('Sconce holds none'),
      wifi_lock_required: not('Linux has none'),
      wifi_lock_held: not('Linux has none'),
      prevent_idle_dim_configured: not('there is no such setting'),
      screen_off_timeout_ms: unread(),
      plugged_mask: unread(),
      stay_on_while_plugged_in: unread(),
      interactive: z.boolean().nullable().meta({ description: 'Whether the screen is lit; null while unknown.' }),
      stay_on_effective: unknown(),
      device_idle: unknown(),
      doze_exempt: unknown(),
      power_source: z.string().meta({ description: '`unknown`: not read here.' }),
      screen_off_mechanism: z
        .string()
        .meta({ description: 'What switches the screen off, such as `backlight`; `none` for nothing.' }),
      screen_off_selected: z.string().nullable().meta({ description: 'The same; null for nothing.' }),
      screen_off_reason: z.string().meta({ description: 'Stable code of the verdict on the screen.' }),
    })
    .meta({ id: 'PowerSafety', description: 'Whether the panel stays reachable while it is not used.' }),
);

/** Permissions and power safety in the status document. */
export const status = statusSection({
  reads: ['camera', 'microphone', 'screen'],
  shape: () => ({
    install_capability: z
      .enum(['api', 'none'])
      .meta({ description: '`none`: nothing can be installed over this interface.' }),
    permissions: Permissions(),
    power_safety: PowerSafety(),
  }),
  view: ({ read }) => ({
    install_capability: 'none' as const,
    permissions: permissionsOf(read('camera')?.scan ?? null, read('microphone') ?? null),
    power_safety: { ...assessPower(read('screen')), reason_codes: [] },
  }),
});
