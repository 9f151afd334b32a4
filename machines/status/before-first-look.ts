import type { CameraObject } from '#machines/camera/events.ts';
import type { PathProbeObject } from '#machines/path-probe/events.ts';
import type { StorageHealthObject } from '#machines/storage-health/events.ts';

/** The camera object while its part is being restarted: nobody has looked, and it says so. */
export const absentCamera: CameraObject = {
  state: 'absent',
  outcome: 'camera-unavailable',
  fault: 'none',
  fault_detail: 'undetermined',
  recovery: 'none',
  clients: 0,
  last_frame_age_ms: null,
  consecutive_failures: 0,
  indication: 'none',
  live: false,
  stream_clients: 0,
  stream_port: null,
  requested_fps: null,
  encoder: null,
  encode_width: null,
  encode_height: null,
  encode_fps: null,
  encode_kbps: null,
  delivered_fps: null,
  delivered_kbps: null,
  summary: 'Sconce has not looked for a camera yet.',
  action: 'Ask again in a few seconds.',
};

/** The path probe while its part is being restarted; `family` is reported in every state (contract). */
export const unprovenPath: PathProbeObject = {
  state: 'unproven',
  family: 'ipv4',
  available: 'unowned',
  other_resolved: null,
  bursts: 0,
  echoes_sent: 0,
  echoes_received: 0,
  consecutive_dead_bursts: 0,
  loss_percent: -1,
  p50_ms: -1,
  p95_ms: -1,
  max_ms: -1,
  jitter_ms: -1,
  interval_ms: -1,
  last_burst_age_ms: -1,
};

/** Storage health before the first look: unknown, never shown as healthy. */
export const uncheckedStorage: StorageHealthObject = {
  state: 'unchecked',
  pressure_state: 'unchecked',
  usable_bytes: null,
  total_bytes: null,
  used_percent: null,
  database_bytes: null,
  quick_check: 'not_run',
  failure: null,
  checked_at: null,
  summary: 'Storage has not been looked at yet.',
  action: 'none',
};
