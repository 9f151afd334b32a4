import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';

import type { Lan, ProbeResult } from '#machines/advertiser/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { MDNS_PORT, questionFor, readAnswer } from './probe-answer.ts';

/** Longest wait for an answer (as in panel-assistant). */
const PROBE_TIMEOUT_MS: Milliseconds = 1500;

const GROUPS = { ipv4: '224.0.0.251', ipv6: 'ff02::fb' } as const;

const withoutZone = (address: string): string => address.split('%')[0] ?? address;

const ownAddresses = (lan: Lan): readonly string[] =>
  lan.family === 'ipv4'
    ? [lan.address]
    : Object.values(networkInterfaces()).flatMap((addresses) =>
        (addresses ?? []).filter(({ family }) => family === 'IPv6').map(({ address }) => withoutZone(address)),
      );

/** Asks the network for the instance from a separate port, as any other machine would; never rejects. */
export const askNetwork = (
  lan: Lan,
  labels: readonly string[],
  token: string,
  signal: AbortSignal,
): Promise<ProbeResult> =>
  new Promise((resolve) => {
    const socket = createSocket(lan.family === 'ipv4' ? 'udp4' : 'udp6');
    const id = randomInt(1, 0x10000);
    const own = { name: labels.join('.'), token, addresses: ownAddresses(lan) };
    let result: ProbeResult = 'missing';
    let over = false;
    const finish = (found: ProbeResult): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      socket.close();
      resolve(found);
    };
    const giveUp = (): void => finish('unavailable');
    const timer = setTimeout(() => finish(result), PROBE_TIMEOUT_MS);
    signal.addEventListener('abort', giveUp);
    socket.on('error', giveUp);
    socket.on('message', (packet, { address, port }) => {
      const answer = readAnswer(packet, { address: withoutZone(address), port }, id, own);
      if (answer === 'visible') finish(answer);
      else result = answer ?? result;
    });
    socket.bind(0, () => {
      try {
        socket.setMulticastInterface(lan.family === 'ipv4' ? lan.address : `::%${lan.interface}`);
        socket.setMulticastTTL(255);
      } catch {
        giveUp();
        return;
      }
      socket.send(
        questionFor(id, labels),
        MDNS_PORT,
        lan.family === 'ipv4' ? GROUPS.ipv4 : `${GROUPS.ipv6}%${lan.interface}`,
        (error) => {
          if (error !== null) giveUp();
        },
      );
    });
  });
