import type { Milliseconds } from '../kit/units.ts';

/** A message could not be delivered; `code` is a POSIX error name or `no-native-calls`. */
export interface ServiceFact {
  readonly type: 'notice.refused';
  readonly code: string;
}

export type ServiceEvent =
  /** The agent answers its callers: HTTP is up. */
  | { readonly type: 'service.ready' }
  /** The agent is shutting down. */
  | { readonly type: 'service.stopping' }
  | ServiceFact;

/** What the driver is told: lines of the notification protocol (sd_notify(3)), such as `READY=1`. */
export interface ServiceDriverCommand {
  readonly type: 'notice.send';
  readonly lines: readonly string[];
}

/** What the service manager asked for in the environment of the process. */
export interface ServiceRequest {
  /** Whether a service manager listens. */
  readonly listening: boolean;
  /** Time between two signs of life, half of what the service manager allows; null where it watches nothing. */
  readonly heartbeatMs: Milliseconds | null;
}

export interface ServiceContext extends ServiceRequest {
  readonly ready: boolean;
  /** Code of the last message that could not be delivered; null while all arrived. */
  readonly failure: string | null;
}

/** What the actor of the link to the service manager shows to the rest of the house. */
export interface ServiceActor {
  readonly id: 'service';
  readonly context: ServiceContext;
  readonly event: Exclude<ServiceEvent, { readonly type: 'notice.refused' }>;
}
