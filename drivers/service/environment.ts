import type { ServiceRequest } from '#machines/service/events.ts';

/** The service manager's environment variables, parsed. */
export interface ServiceEnvironment extends ServiceRequest {
  /** Path of its datagram socket, or an abstract name with a leading `@`; null without a service manager. */
  readonly socket: string | null;
}

/** Shortest time between two signs of life. A manager that demands them more often is misconfigured. */
const LEAST_HEARTBEAT_MS = 10;
/** Longest delay of a timer; Node keeps delays in 32 bits, and a longer one fires at once. */
const MOST_HEARTBEAT_MS = 2 ** 31 - 1;

/**
 * Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` (sd_notify(3), sd_watchdog_enabled(3)). Signs of life are
 * due at half of the allowed time, and only if `WATCHDOG_PID` names this process or is absent.
 */
export function readServiceEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): ServiceEnvironment {
  const wanted = env['NOTIFY_SOCKET'] ?? '';
  const socket = /^[/@]./.test(wanted) ? wanted : null;
  const usec = Number(env['WATCHDOG_USEC'] ?? '');
  const addressee = env['WATCHDOG_PID'] ?? '';
  const isForUs = addressee === '' || addressee === String(pid);
  const isWatched = socket !== null && isForUs && Number.isSafeInteger(usec) && usec > 0;
  const heartbeatMs = isWatched
    ? Math.min(MOST_HEARTBEAT_MS, Math.max(LEAST_HEARTBEAT_MS, Math.floor(usec / 2000)))
    : null;
  return { socket, listening: socket !== null, heartbeatMs };
}
