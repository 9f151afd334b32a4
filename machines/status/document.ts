import { z } from 'zod';
import { ZigbeeGatewayStatus } from './zigbee-object.ts';
import { RendererObject } from './renderer-object.ts';

const verdictWord = z.enum(['working', 'needs_you', 'off', 'not_here', 'checking']).meta({
  description: 'The four words of the product; `checking` only until the first look has ended.',
});

const fix = z
  .object({ command: z.string(), effect: z.string() })
  .meta({ description: 'One command to copy, and what it does and changes.' });

/** One capability of the panel with its evidence. */
export const CapabilityRow = z
  .object({
    id: z.string(),
    title: z.string(),
    state: verdictWord,
    reason: z.string(),
    detail: z.string(),
    missing: z.string().nullable(),
    fix: fix.nullable(),
  })
  .meta({
    id: 'Capability',
    description: 'A capability, proved by trying: what it is, what is missing, and the one command that fixes it.',
  });
export type CapabilityRow = z.infer<typeof CapabilityRow>;

/** One supervised part: a group or a worker. */
export const TreeNode = z
  .object({
    id: z.string(),
    kind: z.enum(['group', 'worker']),
    phase: z.enum(['waiting', 'running', 'stopping', 'stopped', 'parked', 'restarting']),
    restarts: z.number().int().min(0).meta({ description: 'Restarts since the agent started.' }),
    reason: z.string().nullable().meta({ description: 'Stable code of the last failure; null when it never failed.' }),
    since: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'When it entered this phase, milliseconds since the Unix epoch.' }),
    get children() {
      return z.array(TreeNode);
    },
  })
  .meta({ id: 'TreeNode', description: 'The supervision tree: who watches whom, and how each part is.' });
export type TreeNode = z.infer<typeof TreeNode>;

const unmeasured = 'Milliseconds; -1 while unmeasured.';

/** The network verdict of the contract ("Status objects"): never an address, a network name or a sample. */
export const HaNetwork = z
  .object({
    measuring: z.boolean(),
    state: z.enum(['idle', 'settling', 'healthy', 'warning', 'severe']),
    ha_net: z
      .enum(['healthy', 'warning', 'severe', 'settling'])
      .nullable()
      .meta({ description: 'Null while no platform socket is held.' }),
    ha_resp: z
      .enum(['healthy', 'warning', 'severe'])
      .nullable()
      .meta({ description: 'Null while no platform socket is held.' }),
    window_ms: z.number().int(),
    probes: z.number().int(),
    round_trips: z.number().int(),
    network_failures: z.number().int(),
    server_failures: z.number().int(),
    auth_failures: z.number().int(),
    consecutive_failures: z.number().int(),
    p50_ms: z.number().int().meta({ description: unmeasured }),
    p95_ms: z.number().int().meta({ description: unmeasured }),
    max_ms: z.number().int().meta({ description: unmeasured }),
    jitter_ms: z.number().int().meta({ description: unmeasured }),
    loss_percent: z.number().meta({ description: '-1 while unmeasured.' }),
    last_round_trip_age_ms: z.number().int().meta({ description: unmeasured }),
  })
  .meta({
    id: 'HaNetwork',
    description:
      'Both verdicts on the path to the platform. This build holds no platform socket, so nothing is measured and no verdict is formed.',
  });

/** The ICMP path probe (contract, "Rules for `ha_path_probe`"). */
export const HaPathProbe = z
  .object({
    state: z.enum(['unsupported', 'unproven']),
    family: z.enum(['ipv4', 'ipv6']),
    available: z.enum(['unowned', 'unsupported', 'unproven']),
    other_resolved: z.boolean().nullable(),
    bursts: z.number().int(),
    echoes_sent: z.number().int(),
    echoes_received: z.number().int(),
    consecutive_dead_bursts: z.number().int(),
    loss_percent: z.number(),
    p50_ms: z.number().int(),
    p95_ms: z.number().int(),
    max_ms: z.number().int(),
    jitter_ms: z.number().int(),
    interval_ms: z.number().int(),
    last_burst_age_ms: z.number().int(),
  })
  .meta({
    id: 'HaPathProbe',
    description:
      'Whether an ICMP echo can be sent on the way to the platform, and what came of it. Numbers are -1 while unmeasured.',
  });

/** The camera object, served alone by `/api/v1/camera/status`. */
export const CameraStatus = z
  .object({
    state: z.literal('absent'),
    outcome: z.string(),
    fault: z.literal('none'),
    fault_detail: z.enum(['suppressed_by_profile', 'not_enumerated', 'undetermined']),
    recovery: z.literal('none'),
    clients: z.number().int(),
    last_frame_age_ms: z.number().int().nullable(),
    consecutive_failures: z.number().int(),
    indication: z.literal('none'),
    live: z.boolean(),
    stream_clients: z.number().int(),
    stream_port: z.number().int().nullable(),
    requested_fps: z.number().int().nullable(),
    encoder: z.string().nullable(),
    encode_width: z.number().int().nullable(),
    encode_height: z.number().int().nullable(),
    encode_fps: z.number().int().nullable(),
    encode_kbps: z.number().int().nullable(),
    delivered_fps: z.number().nullable(),
    delivered_kbps: z.number().int().nullable(),
    snapshot_exposure: z.literal('none'),
    snapshot_exposure_fallbacks: z.number().int(),
    summary: z.string(),
    action: z.string(),
  })
  .meta({ id: 'CameraStatus', description: 'Camera session status. Reading it never opens a camera.' });

/** Storage health (api-facts 3.9). */
export const StorageHealth = z
  .object({
    state: z.enum(['unchecked', 'healthy', 'warning', 'critical', 'database_failure']),
    pressure_state: z.enum(['unchecked', 'healthy', 'warning', 'critical']),
    usable_bytes: z.number().int().nullable(),
    total_bytes: z.number().int().nullable(),
    used_percent: z.number().nullable(),
    database_bytes: z.number().int().nullable(),
    sidecar_bytes: z.number().int().nullable().meta({ description: 'Copies of the document.' }),
    profiles_bytes: z.number().int().nullable().meta({ description: 'The catalogue of saved profiles.' }),
    other_bytes: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Everything else in the data folder that outlives the agent.' }),
    growth_bytes_per_day: z.number().int().nullable().meta({
      description:
        'Over at most seven days since `growth_since`; negative where the folder shrinks, null until a whole day was measured.',
    }),
    growth_since: z.number().int().nullable(),
    quick_check: z.enum(['not_run', 'ok', 'failed']),
    quick_checked_at: z.number().int().nullable(),
    failure: z.enum(['storage_full', 'io', 'corruption', 'busy', 'unknown']).nullable(),
    checked_at: z.number().int().nullable(),
    summary: z.string(),
    action: z.string(),
  })
  .meta({ id: 'StorageHealth', description: 'Free space and the health of the durable document.' });

/** One entry of the history. */
export const HistoryRow = z
  .object({
    at: z.number(),
    kind: z.string().meta({
      description:
        'What it is about: `agent`, `part`, `screen`, `reboot`, `broker`, `platform`, `dashboard`, `sign-in`, `announcement`, `configuration`, `profile`, `storage`.',
    }),
    by: z.string().nullable().meta({ description: 'Who did it, or of `part` which one; null where nobody did.' }),
    code: z.string().meta({ description: 'What it was; of `configuration` the saved keys.' }),
    times: z
      .number()
      .int()
      .min(1)
      .meta({ description: 'How often, where repetitions are gathered; `at` is the last time.' }),
  })
  .meta({ id: 'HistoryEntry', description: 'Something that happened which an owner asks about.' });
export type HistoryRow = z.infer<typeof HistoryRow>;

/** The status document of `GET /api/v1/status`, also pushed by `GET /api/v1/events`. */
export const StatusDocument = z
  .object({
    panel: z.object({
      id: z.string(),
      name: z.string(),
      manufacturer: z.string(),
      model: z.string(),
      system: z.string(),
      version: z.string(),
      profile: z.object({ id: z.string(), title: z.string(), simulated: z.boolean() }),
      started_at: z.number().int(),
    }),
    state: verdictWord,
    sentence: z.string().meta({ description: 'One sentence on how the panel is.' }),
    next: z
      .object({ sentence: z.string(), fix: fix.nullable(), href: z.string().nullable() })
      .nullable()
      .meta({ description: 'The single next step when something needs a person.' }),
    inspecting: z.boolean().meta({ description: 'Whether the agent was started with `--inspect`.' }),
    warnings: z.array(z.string()),
    capabilities: z.array(CapabilityRow),
    screen: z
      .object({
        state: verdictWord,
        lit: z.boolean().nullable(),
        brightness: z.number().int().min(0).max(255).nullable(),
        last_brightness: z.number().int().min(1).max(255),
        display: z.string().nullable(),
        routes: z
          .object({ brightness: z.string().nullable(), power: z.string().nullable() })
          .nullable()
          .meta({ description: 'By which route it is dimmed and by which it is switched; null while there is none.' }),
        fault: z.string().nullable(),
        changed: z.object({ by: z.string(), at: z.number().int() }).nullable(),
      })
      .nullable()
      .meta({ description: 'Null where the profile declares no screen, or while its part restarts.' }),
    input: z
      .object({
        state: verdictWord,
        devices: z
          .object({ touch: z.number().int(), key: z.number().int(), pointer: z.number().int() })
          .meta({ description: 'How many devices of each kind are listened to.' }),
        last: z
          .object({ kind: z.enum(['touch', 'key', 'pointer']), at: z.number().int() })
          .nullable()
          .meta({ description: 'The last touch or press since the agent started; never which key, or where.' }),
        wakes: z.number().int().meta({ description: 'How often a touch or a press lit a dark screen.' }),
        first_touch: z
          .object({
            keeps: z.boolean(),
            held: z.number().int(),
            refused: z.enum(['busy', 'unsupported', 'failed']).nullable(),
          })
          .meta({
            description:
              'Whether touches are kept from the page now because the screen is dark, how many devices are held for that, and why that was refused the last time.',
          }),
        buttons: z
          .array(z.object({ name: z.string(), here: z.boolean() }))
          .meta({ description: 'Hardware buttons that the profile names, and whether their device is here.' }),
        last_wake_ms: z.number().int().meta({
          description:
            "From the kernel's event to the finished write that lit the screen. Milliseconds; -1 while unmeasured.",
        }),
      })
      .nullable()
      .meta({
        description:
          'Touch screens, keys and buttons. Null where the profile declares none, or while its part restarts.',
      }),
    volume: z
      .object({
        state: verdictWord,
        percent: z.number().int().min(0).max(100).nullable(),
        muted: z.boolean().nullable(),
        limit_percent: z.number().int(),
        route: z.string().nullable(),
        fault: z.string().nullable(),
      })
      .nullable(),
    announcement: z
      .object({
        phase: z.enum(['idle', 'queued', 'downloading', 'playing', 'failed']),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Why the newest announcement failed, a stable code; null in every other phase.' }),
        generation: z
          .number()
          .int()
          .min(0)
          .meta({ description: 'Accepted announcements since this part started; the newest replaces the others.' }),
        started_at: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'When the newest one was accepted, milliseconds since the Unix epoch.' }),
        detail: z.string().meta({ description: 'The same in plain words.' }),
      })
      .nullable()
      .meta({ description: 'The announcement player; never an address. Null while its part restarts.' }),
    power: z
      .object({
        state: verdictWord,
        route: z.string().nullable(),
        last_reboot: z
          .object({ origin: z.string(), at: z.number().int(), outcome: z.enum(['begun', 'refused', 'asked']) })
          .nullable(),
      })
      .nullable(),
    mqtt: z
      .object({
        phase: z.enum([
          'off',
          'discovering',
          'ambiguous',
          'connecting',
          'connected',
          'auth_failed',
          'unreachable',
          'config_error',
        ]),
        protocol: z.enum(['5', '3.1.1']).nullable(),
        failure: z.string().nullable(),
        attempt: z.number().int(),
        connected_at: z.number().int().nullable(),
        source: z.enum(['configured', 'found', 'none', 'ambiguous']),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable(),
    platform: z
      .object({
        phase: z.enum(['waiting', 'claiming', 'duplicate', 'announcing', 'live']),
        seen: z.boolean().meta({ description: 'Whether the platform said it is online in this connection.' }),
        announced: z.array(z.object({ key: z.string(), platform: z.string() })),
        refused: z.record(z.string(), z.string()),
        ghosts: z.number().int(),
        detail: z.string(),
      })
      .nullable(),
    discovery: z
      .object({
        state: z.enum(['off', 'starting', 'advertising', 'recovering', 'exhausted']),
        seen: z
          .enum(['visible', 'missing', 'inconclusive', 'unavailable'])
          .nullable()
          .meta({ description: 'What the last question to the network for the own advertisement gave.' }),
        misses: z.number().int().min(0).meta({ description: 'Questions in a row that nobody answered.' }),
        rebuilds: z.number().int().min(0).meta({ description: 'Rebuilds of the responder since the agent started.' }),
        renamed: z.boolean().meta({ description: 'Another machine has the panel id as its name: a number was added.' }),
        reason: z.string().nullable().meta({ description: 'Stable code of the last failure; null while all is well.' }),
      })
      .nullable()
      .meta({
        description:
          'The advertisement of the panel on its network (mDNS); null while its part restarts, or where the panel is not announced.',
      }),
    sign_in: z
      .object({
        phase: z.enum(['no-address', 'needed', 'pending', 'signed-in', 'refused']),
        method: z.enum(['oauth', 'long-lived']).nullable(),
        administrator: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the signed-in user administers the platform; null while unknown.' }),
        reachable: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the platform answered last; null before the first answer.' }),
        attempt_until: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'When the open attempt ends, milliseconds since the Unix epoch.' }),
        last_outcome: z
          .enum([
            'signed-in',
            'cancelled',
            'invalid',
            'expired',
            'wrong-origin',
            'invalid-code',
            'rejected',
            'unreachable',
            'stale',
            'commit-failed',
          ])
          .nullable(),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable()
      .meta({ description: 'The sign-in to the platform; null while its part restarts.' }),
    renderer: RendererObject.nullable().meta({
      description: 'Null while its part restarts, and in an agent that only looks.',
    }),
    panel_assistant_update: z.object({ state: z.literal('none') }),
    ha_network: HaNetwork,
    ha_path_probe: HaPathProbe,
    camera: CameraStatus,
    zigbee_gateway: ZigbeeGatewayStatus.nullable().meta({
      description: 'Null where the profile declares none, or while its part restarts.',
    }),
    storage_health: StorageHealth,
    configuration: z.object({
      revision: z.number().int(),
      digest: z.string(),
      dropped: z
        .array(z.string())
        .meta({ description: 'Stored keys that were refused at start and are at their defaults.' }),
      loss: z.string().nullable().meta({ description: 'Said when the stored file was unreadable at start.' }),
      last_failure: z.string().nullable(),
    }),
    happened: z
      .array(z.object({ at: z.number(), sentence: z.string(), times: z.number().int().min(1) }))
      .meta({ description: 'The newest entries of the history, the newest first; all are at `/api/v1/history`.' }),
    listener: z.object({ port: z.number().int(), family: z.enum(['dual', 'ipv4']).nullable() }),
    supervision: TreeNode,
    taken_at: z.number().int(),
  })
  .meta({
    id: 'Status',
    description: 'Everything the panel knows of itself, without addresses, credentials or install identifiers.',
  });
export type StatusDocument = z.infer<typeof StatusDocument>;
