import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { readProc } from '#drivers/kit/read-proc.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import { type Interfaces, primaryLan } from '#drivers/readings/address.ts';
import { parseIpv4Route, parseIpv6Route } from '#drivers/readings/parse-proc.ts';
import type { AdvertiserCommand, LanFact } from '#machines/advertiser/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Time between two scans of the interfaces. */
const SCAN_MS: Milliseconds = 5000;

/** Options for tests. */
export interface LanSources {
  /** Folder instead of `/`. */
  readonly root?: string;
  readonly interfaces?: () => Interfaces;
}

/** Reports the interface and address by which other machines reach this one: at once, and at each change. */
export const lanWatch = ({ root = '/', interfaces = networkInterfaces }: LanSources = {}) =>
  fromDriver<AdvertiserCommand, undefined, LanFact>((scope) => {
    const read = (path: string): Promise<string> => readProc(join(root, path)).catch(() => '');
    let reported: string | null = null;
    const scans = rounds(scope, async () => {
      const [ipv4, ipv6] = await Promise.all([read('proc/net/route'), read('proc/net/ipv6_route')]);
      const lan = primaryLan({ ipv4: parseIpv4Route(ipv4), ipv6: parseIpv6Route(ipv6) }, interfaces());
      const text = JSON.stringify(lan);
      if (text !== reported) scope.send({ type: 'lan.observed', lan });
      reported = text;
      return SCAN_MS;
    });
    scans.now();
    return () => void scans.stop();
  });
