import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { oneAtATime } from '#drivers/kit/one-lookup.ts';
import { isLocalHost, outwardLookup } from '#drivers/kit/outward-lookup.ts';
import { readSystemTrust } from '#drivers/kit/system-trust.ts';
import type {
  BrokerProbeEvent,
  ProbeFact,
  ProbeFailure,
  ProbeOutcome,
  ProbeTarget,
} from '#machines/broker-probe/events.ts';
import { LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

import { openSocket } from './socket.ts';

/** Longest time for the name to be resolved, in milliseconds. */
const RESOLVE_MS = 3000;
/** Longest time for the whole probe, in milliseconds. */
const PROBE_MS = 5000;

/** What probing can be given; nothing is needed outside tests. */
export interface ProbeOptions {
  /** Certificates to trust; those of the system when absent. */
  readonly readBundle?: () => Promise<string | undefined>;
  readonly lookup?: LookupFunction;
  readonly resolveMs?: number;
  readonly probeMs?: number;
}

const failed = (error: ProbeFailure['error'], code: string): ProbeFailure => ({ status: 'failed', error, code });

/**
 * Opens one connection as the link would, over TLS with the same certificates, and closes it: nothing is sent or read.
 * To an address of this machine or its link none is opened, unless it is the broker of the settings.
 */
export const brokerProbe = ({
  readBundle = readSystemTrust,
  lookup: given = lookup,
  resolveMs = RESOLVE_MS,
  probeMs = PROBE_MS,
}: ProbeOptions = {}) => {
  const look = oneAtATime(given);
  const outward = outwardLookup(look);
  return fromDriver<BrokerProbeEvent, ProbeTarget, ProbeFact>(async ({ input, signal, send, guard }) => {
    if (!input.isSaved && isLocalHost(input.host)) {
      send({ type: 'probe.ended', outcome: failed('local-address', LOCAL_ADDRESS) });
      return undefined;
    }
    const bundle = input.tls ? await readBundle() : undefined;
    if (signal.aborted) return undefined;

    let isResolved = isIP(input.host) !== 0;
    let isConnected = false;
    const close = (): void => {
      clearTimeout(resolving);
      clearTimeout(whole);
      socket.destroy();
    };
    let isOver = false;
    const end = (outcome: ProbeOutcome): void => {
      if (isOver) return;
      isOver = true;
      close();
      send({ type: 'probe.ended', outcome });
    };
    const fail = (code: string): void =>
      end(failed(code === LOCAL_ADDRESS ? code : isResolved ? 'unreachable' : 'unresolvable', code));
    const resolving = setTimeout(
      guard(() => {
        if (!isResolved) fail('timeout');
      }),
      resolveMs,
    );
    const whole = setTimeout(
      guard(() => fail(isConnected ? 'handshake-timeout' : 'timeout')),
      probeMs,
    );
    const socket = openSocket(input, bundle, (host, options, callback) =>
      (input.isSaved ? look : outward)(host, options, (...answer) => {
        isResolved = answer[0] === null;
        clearTimeout(resolving);
        callback(...answer);
      }),
    );
    const answered = guard(() => end({ status: 'answered', address: socket.remoteAddress ?? '' }));

    socket.on(
      'connect',
      guard(() => void (isConnected = true)),
    );
    socket.on(input.tls ? 'secureConnect' : 'connect', answered);
    // Stays after the end: a socket that is being closed may still report one, and without a listener it would throw.
    socket.on('error', (error) => guard(fail)(errorCode(error)));
    socket.on(
      'close',
      guard(() => fail('closed')),
    );
    return close;
  });
};
