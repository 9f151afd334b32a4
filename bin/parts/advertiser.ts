import { advertiserSpec } from '#actors/advertiser.ts';
import type { Part } from '#actors/kit/part.ts';
import { lanWatch } from '#drivers/advertiser/lan-watch.ts';
import { mdnsResponder } from '#drivers/advertiser/responder.ts';
import type { PartDeps } from './deps.ts';

/** The announcement on the network, made by the responder's program. */
export function advertiserPart({ registry }: PartDeps, program: string): Part {
  return advertiserSpec({ registry, responder: mdnsResponder(program), lan: lanWatch() });
}
