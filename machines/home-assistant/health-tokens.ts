import { type HealthToken, writeTokens } from '../kit/health-token.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { Lifecycle, LifecycleSource, LifecycleState } from './lifecycle.ts';
import { judgeNetwork, type NetworkFacts } from './network.ts';
import type { HaNetwork } from './network-status.ts';

/** Input of the tokens. */
export interface HealthFacts {
  readonly network: NetworkFacts;
  /** Null while the panel does not watch Home Assistant's lifecycle. */
  readonly lifecycle: Lifecycle | null;
}

/** Values of `ha`, and of `home_assistant.lifecycle` in the status document. */
export const lifecycleStates = {
  normal: 'it runs, as far as the panel knows',
  shutting_down: 'it stops or restarts, and said so',
  starting: 'it starts',
  back_online: 'it came back in the last minute',
  connection_lost: 'the connection ended without a notice',
} satisfies Readonly<Record<LifecycleState, string>>;

/** Values of `ha_src`. */
export const lifecycleSources = {
  socket: 'an event of Home Assistant itself, which proves intent',
  mqtt: 'its birth and will at the broker',
  native: 'its own integration, which proves intent',
} satisfies Readonly<Record<NonNullable<LifecycleSource>, string>>;

/** Values of `ha_net`, also in the status document. */
export const pathVerdicts = {
  settling: 'the first three minutes of the agent, alone',
  healthy: 'at most 5 % unanswered',
  warning: 'more than 5 %',
  severe: 'two in a row',
} as const;

/** Values of `ha_resp`, also in the status document. */
export const responseVerdicts = {
  healthy: 'up to 100 ms',
  warning: 'above 100 ms',
  severe: 'above 1,000 ms',
} as const;

interface Judged {
  readonly lifecycle: Lifecycle | null;
  readonly network: HaNetwork;
}

const unheld = 'while no signed-in connection to Home Assistant is held; it stays while a lost one is re-established';
/** While settling, only the verdict on the path is present (contract, rule 5). */
const unjudged = 'like `ha_net`, and while that is `settling`';
const count = { pattern: '[0-9]+', written: 'Whole number' };
const duration = { pattern: '-1|[0-9]+', written: 'Whole milliseconds; -1 while no probe has been answered' };
const unlessSettling = ({ network }: Judged, value: number): number | null => (network.ha_resp === null ? null : value);

/**
 * The tokens about Home Assistant, in the order of the contract's table. The line, its grammar in the API document and
 * the values in the status document come from these rows.
 */
export const homeAssistantTokens: readonly HealthToken<Judged>[] = [
  {
    name: 'ha',
    values: { words: lifecycleStates },
    about: 'What Home Assistant itself does.',
    absent: 'while its restarts are not watched, and until it has answered once',
    member: 'home_assistant.lifecycle',
    read: ({ lifecycle }) => lifecycle?.state ?? null,
  },
  {
    name: 'ha_src',
    values: { words: lifecycleSources },
    about: 'Who told so.',
    absent: 'without `ha`, and where the panel concluded it from its own connection',
    member: 'home_assistant.lifecycle_source',
    read: ({ lifecycle }) => lifecycle?.source ?? null,
  },
  {
    name: 'ha_net',
    values: { words: pathVerdicts },
    about: 'The network path to Home Assistant, by the probes of the last five minutes.',
    absent: unheld,
    member: 'ha_network.ha_net',
    read: ({ network }) => network.ha_net,
  },
  {
    name: 'ha_resp',
    values: { words: responseVerdicts },
    about: 'How fast Home Assistant answers; an observation, never a fault of the path.',
    absent: unjudged,
    member: 'ha_network.ha_resp',
    read: ({ network }) => network.ha_resp,
  },
  {
    name: 'ha_net_p95',
    values: duration,
    about: 'Nearest-rank 95th percentile of the round trips.',
    absent: unjudged,
    member: 'ha_network.p95_ms',
    read: (judged) => unlessSettling(judged, judged.network.p95_ms),
  },
  {
    name: 'ha_net_n',
    values: count,
    about: 'Pings in the last five minutes; an attempt to connect is none.',
    absent: unjudged,
    member: 'ha_network.probes',
    read: (judged) => unlessSettling(judged, judged.network.probes),
  },
  {
    name: 'ha_net_miss',
    values: count,
    about: 'Those of them that were not answered while nothing else came either.',
    absent: unjudged,
    member: 'ha_network.network_failures',
    read: (judged) => unlessSettling(judged, judged.network.network_failures),
  },
  {
    name: 'ha_net_age',
    values: duration,
    about: 'Time since a probe was last answered.',
    absent: unjudged,
    member: 'ha_network.last_round_trip_age_ms',
    read: (judged) => unlessSettling(judged, judged.network.last_round_trip_age_ms),
  },
];

/**
 * Tokens of the health line, each preceded by a space, in the order of the contract's table; '' without any. `now` is
 * on the clock of the samples.
 */
export const healthTokens = ({ network, lifecycle }: HealthFacts, now: Milliseconds): string =>
  writeTokens(homeAssistantTokens, { lifecycle, network: judgeNetwork(network, now) });
