import type { HomeOutcome } from '../kit/home-advice.ts';
import type { ProbeAnswer, ProbeContext, ProbeEnded, ProbeEvent, ProbeRequest } from '../kit/probe.ts';

export type { HomeOutcome } from '../kit/home-advice.ts';

/** Where a Home Assistant may be: its origin, `http://192.168.1.10:8123`. */
export interface HomeTarget {
  readonly origin: string;
  /** True for the origin of the settings, which is probed wherever it is. */
  readonly isSaved: boolean;
}

/** Reported once by the driver of a probe. */
export type HomeProbeFact = ProbeEnded<HomeOutcome>;

export type HomeProbeEvent = ProbeEvent<HomeTarget, HomeOutcome>;

export interface HomeProbeActor {
  readonly id: 'home-probe';
  readonly context: ProbeContext;
  readonly event: ProbeRequest<HomeTarget>;
  readonly asks: { readonly 'probe.begin': ProbeAnswer<HomeOutcome> };
}
