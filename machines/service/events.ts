import type { Milliseconds } from '../kit/units.ts';

/** A message could not be delivered; `code` is a POSIX error name or `no-native-calls`. */
export interface ServiceFact {
  readonly type: 'notice.refused';
  readonly code: string;
}

export type ServiceEvent =
  /** The agent answers requests: HTTP is up. */
  | { readonly type: 'service.ready' }
  /** The agent is shutting down. */
  | { readonly type: 'service.stopping' }
  | ServiceFact;

/** Command of the driver: lines of the notification protocol (sd_notify(3)), such as `READY=1`. */
export interface ServiceDriverCommand {
  readonly type: 'notice.send';
  readonly lines: readonly string[];
}

/** What the service manager requests in the environment of the process. */
export interface ServiceRequest {
  /** True if a service manager listens. */
  readonly listening: boolean;
  /** Time between two heartbeats, half of what the service manager allows; null without a watchdog. */
  readonly heartbeatMs: Milliseconds | null;
}

export interface ServiceContext extends ServiceRequest {
  readonly ready: boolean;
  /** Code of the last message that could not be delivered; null while all arrived. */
  readonly failure: string | null;
}

export interface ServiceActor {
  readonly id: 'service';
  readonly context: ServiceContext;
  readonly event: Exclude<ServiceEvent, { readonly type: 'notice.refused' }>;
}
