import { companionSpec } from '#actors/companion.ts';
import { nativeBridge } from '#actors/companion/native-bridge.ts';
import type { Part } from '#actors/kit/part.ts';
import { objectionToHome } from '#actors/kit/home-choice.ts';
import { companionSessions } from '#drivers/companion/sessions.ts';
import type { CompanionExchange } from '#machines/companion/events.ts';
import type { PartDeps } from './deps.ts';

/** The native connection with its drivers; the exchange joins its connections and its rows. */
export function companionPart(
  { registry, admission, log, now }: PartDeps,
  { exchange, door }: { readonly exchange: CompanionExchange; readonly door: unknown },
): Part {
  return companionSpec({ registry, now, elapsed: () => performance.now() });
}
