import { attach, type AttachedDevice, isGone, POLL_MS, type Probe } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayDriverCommand, RelayFact, RelayRestore } from '#machines/relays/events.ts';

/** A relay whose device is open. Its calls reject with the kernel's error. */
export interface OpenRelay extends AttachedDevice {
  /** True if the contact is closed; null if that is unknown before the first write. */
  readonly read: () => Promise<boolean | null>;
  readonly write: (closed: boolean) => Promise<void>;
}

/** How a relay is found and polled. */
export interface OpenRelayPlan {
  readonly probe: () => Promise<Probe<OpenRelay>>;
  /** The start state of the profile. */
  readonly restore: RelayRestore;
  readonly watch?: (now: () => void) => () => void;
  /** Pause between two probes for a missing relay; two seconds by default. */
  readonly probeMs?: Milliseconds;
  /** Pause between two readings of a relay that was found; two seconds by default. */
  readonly pollMs?: Milliseconds;
}

/**
 * The driver of any relay: it writes the newest command and reads it back. It writes nothing before the first command.
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
      // A newer command has come meanwhile: this reading does not answer it.
      if (isOutdated()) return;
      const code = refused ?? (read === closed ? null : 'not-taken');
      if (code !== null) send({ type: 'relay.refused', generation, code });
      // The machine may have answered the refusal with a new command.
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
