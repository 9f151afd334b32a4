import { homeAssistantSpec } from '#actors/home-assistant.ts';
import type { Part } from '#actors/kit/part.ts';
import { socketToken } from '#actors/sign-in.ts';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import type { ConnectedRoute } from '#drivers/path-probe/route.ts';
import type { PartDeps } from './deps.ts';

/** What the connection shares with the other links. */
interface Shared {
  readonly trust: () => Promise<string | undefined>;
  /** Called with the route on which it is connected. */
  readonly onRoute: (route: ConnectedRoute) => void;
}

export function homeAssistantPart({ registry, now, channel }: PartDeps, { trust, onRoute }: Shared): Part {
  return homeAssistantSpec({
    registry,
    connection: homeAssistantConnection({
      readToken: socketToken(registry),
      trustFor: async (origin) => (origin.startsWith('https:') ? trust() : undefined),
      elapsed: () => performance.now(),
      now,
      isInForce: (origin) => registry.read('settings')?.context.values['ha_url'] === origin,
      onRoute,
      channel,
    }),
    now,
    uptime: () => performance.now(),
  });
}
