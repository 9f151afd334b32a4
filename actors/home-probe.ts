import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { HomeProbeEvent, HomeProbeFact, HomeTarget } from '#machines/home-probe/events.ts';
import { homeProbe } from '#machines/home-probe/index.ts';
import { homeProbeMachine } from '#machines/home-probe/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the look at an address of Home Assistant is wired to. */
export interface HomeProbeDeps {
  /** One look (`homeLook()` of its driver). */
  readonly connection: DriverLogic<HomeProbeEvent, HomeTarget, HomeProbeFact>;
}

/** The look at an address of Home Assistant. */
export const homeProbeSpec = ({ connection }: HomeProbeDeps): Part =>
  part(homeProbe, homeProbeMachine.provide({ actors: { connection } }));
