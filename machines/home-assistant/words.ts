import type { HomePresenceContext } from '../home-presence/events.ts';
import type { HaNetwork } from './network-status.ts';

/**
 * The warning about pings; null without one. It blames the network only if the path probe agrees, and does not mention
 * unanswered pings if Home Assistant is gone.
 */
export function networkWords(
  { ha_net: verdict, unprobed }: Pick<HaNetwork, 'ha_net' | 'unprobed'>,
  presence: Pick<HomePresenceContext, 'judged' | 'path'> | undefined,
): string | null {
  if (unprobed) {
    const known = presence?.path ?? null;
    return `No ping could be sent to Home Assistant for five minutes${known === null ? ', so nothing is known of the network to it' : ''}.`;
  }
  if ((verdict !== 'severe' && verdict !== 'warning') || presence?.judged.state === 'gone') return null;
  switch (presence?.path ?? null) {
    case 'severe':
    case 'warning':
      return verdict === 'severe'
        ? 'The network between this panel and Home Assistant lets nothing through. Check the Wi-Fi or the cable.'
        : 'The network between this panel and Home Assistant loses packets. Check the Wi-Fi or the cable.';
    case 'healthy':
      return 'Home Assistant left pings unanswered in the last five minutes, though the network to it works.';
    case null:
      return 'Home Assistant left pings unanswered in the last five minutes. Whether the network loses them is not known.';
  }
}
