import type { Milliseconds } from '../kit/units.ts';
import type { Lifecycle } from './lifecycle.ts';
import { judgeNetwork, type NetworkFacts } from './network.ts';

/** What the tokens are made from. */
export interface HealthFacts {
  readonly network: NetworkFacts;
  /** Null while the panel does not watch Home Assistant's lifecycle. */
  readonly lifecycle: Lifecycle | null;
}

/**
 * Tokens of the health line, each with a blank before it, in the order of the contract's table; '' without any. `now`
 * is on the clock of the samples.
 */
export const healthTokens = ({ network, lifecycle }: HealthFacts, now: Milliseconds): string => {
  const judged = judgeNetwork(network, now);
  const tokens: Readonly<Record<string, string | number | null>> = {
    ha: lifecycle?.state ?? null,
    ha_src: lifecycle?.source ?? null,
    ha_net: judged.ha_net,
    ha_resp: judged.ha_resp,
    // While settling the verdict stands alone (contract, rule 5).
    ...(judged.ha_resp === null
      ? {}
      : {
          ha_net_p95: judged.p95_ms,
          ha_net_n: judged.probes,
          ha_net_miss: judged.network_failures,
          ha_net_age: judged.last_round_trip_age_ms,
        }),
  };
  return Object.entries(tokens)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');
};
