import { attach, type AttachedDevice, isGone, POLL_MS, type Probe } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayDriverCommand, RelayFact, RelayRestore } from '#machines/relays/events.ts';

/** A relay that is open to be switched. Its calls reject with the kernel's error. */
export interface OpenRelay extends AttachedDevice {
  /** Whether the contact is closed now; null where that cannot be told before it was first written. */
  readonly read: () => Promise<boolean | null>;
  readonly write: (closed: boolean) => Promise<void>;
}

/** How a relay is found. */
export interface OpenRelayPlan {
  readonly probe: () => Promise<Probe<OpenRelay>>;
  /** What the profile says about the start. */
  readonly restore: RelayRestore;
  readonly watch?: (now: () => void) => () => void;
  /** Pause between two probes for a relay that is not there; two seconds when absent. */
  readonly probeMs?: Milliseconds;
  /** Pause between two readings of one that is there; two seconds when absent. */
  readonly pollMs?: Milliseconds;
}

/**
 * A relay by whichever contact is found: the newest command is written and read back; nothing is written before one
 * comes.
 */
export const driveRelay = ({ probe, restore, watch, probeMs, pollMs = POLL_MS }: OpenRelayPlan): RelayDriver =>
  fromDriver<RelayDriverCommand, undefined, RelayFact>(({ send, onEvent, guard, signal }) => {
    let command: RelayDriverCommand | null = null;
    let reported: boolean | null = null;
    const isOutdated = (): boolean => command !== null;
    const report = (closed: boolean): void => {
      reported = closed;
      send({ type: 'relay.observed', closed });
    };
    const attempt = async (relay: OpenRelay, closed: boolean): Promise<string | null> => {
      try {
        await relay.write(closed);
        return null;
      } catch (error) {
        if (isGone(error)) throw error;
        return errorCode(error);
      }
    };
    const carryOut = async (relay: OpenRelay, { generation, closed }: RelayDriverCommand): Promise<void> => {
      command = null;
      const refused = await attempt(relay, closed);
      if (isOutdated()) return;
      const read = await relay.read();
      // A newer command came meanwhile: what was read is no answer to it.
      if (isOutdated()) return;
      const code = refused ?? (read === closed ? null : 'not-taken');
      if (code !== null) send({ type: 'relay.refused', generation, code });
      // A refusal may have been answered by the next command.
      if (read !== null && !isOutdated()) report(read);
      if (code === null) send({ type: 'relay.written', generation });
    };
    const attached = attach<OpenRelay>(
      { guard, signal },
      {
        probe,
        ...(watch === undefined ? {} : { watch }),
        ...(probeMs === undefined ? {} : { probeMs }),
        report: ({ device, verdict }) => {
          reported = null;
          command = null;
          send({ type: 'relay.found', found: device !== null, verdict, restore });
        },
        step: async (relay) => {
          if (command !== null) await carryOut(relay, command);
          else {
            const read = await relay.read();
            if (!isOutdated() && read !== null && read !== reported) report(read);
          }
          return isOutdated() ? 0 : pollMs;
        },
      },
    );
    onEvent((newest) => {
      command = newest;
      attached.now();
    });
    return () => attached.stop();
  });
