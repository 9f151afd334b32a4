import { probeMachine } from '../kit/probe.ts';
import type { HomeOutcome, HomeTarget } from './events.ts';

/** Finds out whether Home Assistant answers at an address. */
export const homeProbeMachine = probeMachine<HomeTarget, HomeOutcome>({
  id: 'home-probe',
  nowhere: { origin: '', isSaved: false },
  failure: 'home-probe-driver',
});
