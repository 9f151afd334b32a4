import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { HomeProbeEvent, HomeProbeFact, HomeTarget } from '#machines/home-probe/events.ts';
import { homeProbe } from '#machines/home-probe/index.ts';
import { homeProbeMachine } from '#machines/home-probe/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface HomeProbeDeps {
  /** One probe (`homeLook()` of its driver). */
  readonly connection: DriverLogic<HomeProbeEvent, HomeTarget, HomeProbeFact>;
}

/** The probe of an address of Home Assistant. */
export const homeProbeSpec = ({ connection }: HomeProbeDeps): Part =>
  part(homeProbe, homeProbeMachine.provide({ actors: { connection } }));
