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
import { isTlsAlert } from '#machines/kit/certificate.ts';
import { LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

import { CONNECT, DISCONNECT, greetingReader } from './greeting.ts';
import { openSocket } from './socket.ts';

/** Longest time to resolve the name, in milliseconds. */
const RESOLVE_MS = 3000;
/** Longest time for the whole probe, in milliseconds. */
const PROBE_MS = 5000;

/** Options for tests. */
export interface ProbeOptions {
  /** Trusted certificates; those of the system by default. */
  readonly readBundle?: () => Promise<string | undefined>;
  readonly lookup?: LookupFunction;
  readonly resolveMs?: number;
  readonly probeMs?: number;
}

const failed = (error: ProbeFailure['error'], code: string): ProbeFailure => ({ status: 'failed', error, code });

/**
 * Opens one connection as the link would, over TLS with the same certificates, asks for a session without credentials
 * and closes it: any CONNACK proves a broker. Only the first bytes of an answer are kept. No connection is opened to an
 * address of this machine or its link, unless it is the broker of the settings.
 */
export function brokerProbe({
  readBundle = readSystemTrust,
  lookup: given = lookup,
  resolveMs = RESOLVE_MS,
  probeMs = PROBE_MS,
}: ProbeOptions = {}) {
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
    let isAsked = false;
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
    const reasonOf = (code: string): ProbeFailure['error'] => {
      if (code === LOCAL_ADDRESS) return code;
      if (!isResolved) return 'unresolvable';
      return isAsked && !isTlsAlert(code) ? 'not-a-broker' : 'unreachable';
    };
    const fail = (code: string): void => end(failed(reasonOf(code), code));
    const resolving = setTimeout(
      guard(() => {
        if (!isResolved) fail('timeout');
      }),
      resolveMs,
    );
    const whole = setTimeout(
      guard(() => fail(isConnected && !isAsked ? 'handshake-timeout' : 'timeout')),
      probeMs,
    );
    const socket = openSocket(input, bundle, (host, options, callback) =>
      (input.isSaved ? look : outward)(host, options, (...answer) => {
        isResolved = answer[0] === null;
        clearTimeout(resolving);
        callback(...answer);
      }),
    );
    const ask = guard(() => {
      isAsked = true;
      socket.write(CONNECT);
    });
    const judge = greetingReader();

    socket.on(
      'connect',
      guard(() => void (isConnected = true)),
    );
    socket.on(input.tls ? 'secureConnect' : 'connect', ask);
    socket.on(
      'data',
      guard((read: Buffer) => {
        switch (judge(read)) {
          case 'more':
            return;
          case 'other':
            return fail('other-answer');
          case 'connack': {
            const address = socket.remoteAddress ?? '';
            socket.write(DISCONNECT);
            return end({ status: 'answered', address });
          }
        }
      }),
    );
    // Stays after the end: a closing socket may still report an error, which would be thrown without a listener.
    socket.on('error', (error) => guard(fail)(errorCode(error)));
    socket.on(
      'close',
      guard(() => fail('closed')),
    );
    return close;
  });
}
