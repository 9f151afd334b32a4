import { gone } from '#drivers/kit/attached.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';
import type { RelayDriver, RelayRestore } from '#machines/relays/events.ts';

import { type OpenRelay, driveRelay } from './open-relay.ts';

/** The simulated panel reports its changes, so polling is rare. */
const OBSERVED_POLL_MS = 60_000;

const here = working('relay-simulated', 'The relay is one of the simulated panel; nothing is switched here.');
const pulledOut: Verdict = {
  state: 'not_here',
  reason: 'relay-unplugged',
  detail: 'The relays of the simulated panel are pulled out.',
  missing: 'The part: put it back in on the page of the simulated panel.',
  fix: null,
};

/** Relay 1 to 4 of the simulated panel; missing while the relays are pulled out. */
export function simulatedRelay(device: SimulatedDevice, relay: number, restore: RelayRestore = 'keep'): RelayDriver {
  const isClosed = (): boolean => device.panel.relays[relay - 1] === true;
  const isHere = (): void => {
    if (!device.has('relays')) throw gone();
  };
  const openRelay: OpenRelay = {
    read: async () => {
      isHere();
      return isClosed();
    },
    write: async (closed) => {
      isHere();
      device.setRelay(relay, closed);
    },
    close: async () => {},
  };
  const sign = (): string => JSON.stringify([device.has('relays'), isClosed()]);
  return driveRelay({
    restore,
    probe: async () =>
      device.has('relays') ? { device: openRelay, verdict: here } : { device: null, verdict: pulledOut },
    pollMs: OBSERVED_POLL_MS,
    watch: (now) => {
      let last = sign();
      return device.observe(() => {
        const shown = sign();
        if (shown === last) return;
        last = shown;
        now();
      }, ['relays', 'unplugged']);
    },
  });
}
