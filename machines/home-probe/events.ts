import type { HomeOutcome } from '../kit/home-advice.ts';
import type { ProbeAnswer, ProbeContext, ProbeEnded, ProbeEvent, ProbeRequest } from '../kit/probe.ts';

export type { HomeOutcome } from '../kit/home-advice.ts';

/** Where a Home Assistant may be: its origin, `http://192.168.1.10:8123`. */
export interface HomeTarget {
  readonly origin: string;
  /** Whether this is the origin of the settings, which is looked at wherever it is. */
  readonly isSaved: boolean;
}

/** What the driver of one look reports, once. */
export type HomeProbeFact = ProbeEnded<HomeOutcome>;

export type HomeProbeEvent = ProbeEvent<HomeTarget, HomeOutcome>;

/** What the actor of the look at an address of Home Assistant shows to the rest of the house. */
export interface HomeProbeActor {
  readonly id: 'home-probe';
  readonly context: ProbeContext;
  readonly event: ProbeRequest<HomeTarget>;
  readonly asks: { readonly 'probe.begin': ProbeAnswer<HomeOutcome> };
}
