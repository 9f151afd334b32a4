import type { Lifecycle } from './lifecycle.ts';

/** What is said of Home Assistant's own state; null where nothing is worth a sentence. */
export const lifecycleWords = (lifecycle: Lifecycle | null): string | null => {
  switch (lifecycle?.state) {
    case 'shutting_down':
      // The broker's word cannot tell a restart from a crash.
      if (lifecycle.source === 'mqtt') return 'Home Assistant has gone offline. The panel waits for it.';
      return lifecycle.source === 'socket'
        ? 'Home Assistant shuts down or restarts, as it was told to. The panel waits.'
        : 'Home Assistant says that it shuts down or restarts. The panel waits for it.';
    case 'starting':
      return 'Home Assistant is starting.';
    case 'connection_lost':
      return 'The connection to Home Assistant was lost without notice. It is tried again by itself.';
    default:
      return null;
  }
};

/** What is said of the network between panel and Home Assistant. */
export const networkWords = ({
  ha_net: verdict,
  unprobed,
}: {
  readonly ha_net: 'settling' | 'healthy' | 'warning' | 'severe' | null;
  readonly unprobed: boolean;
}): string | null => {
  if (unprobed)
    return 'No ping could be sent to Home Assistant for five minutes, so nothing is known of the network to it.';
  if (verdict === 'severe')
    return 'The network between this panel and Home Assistant lets nothing through. Check the Wi-Fi or the cable.';
  return verdict === 'warning'
    ? 'The network between this panel and Home Assistant loses packets. Check the Wi-Fi or the cable.'
    : null;
};
