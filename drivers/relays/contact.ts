import { attach, type AttachedDevice, errorCode, isGone, type Look, POLL_MS } from '#drivers/kit/attached.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayDriverCommand, RelayFact, RelayRestore } from '#machines/relays/events.ts';

/** A relay that is open to be switched. Its calls reject with the kernel's error. */
export interface Contact extends AttachedDevice {
  /** Whether the contact is closed now; null where that cannot be told before it was first written. */
  readonly read: () => Promise<boolean | null>;
  readonly write: (closed: boolean) => Promise<void>;
}

/** How a relay is looked for. */
export interface ContactPlan {
  readonly look: () => Promise<Look<Contact>>;
  /** What the profile says about the start. */
  readonly restore: RelayRestore;
  readonly watch?: (stir: () => void) => () => void;
  /**
   * Pause between two looks for a relay that is not there, and between two readings of one that is; two seconds when
   * absent.
   */
  readonly lookMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
}

/**
 * A relay by whichever contact is found: the newest wish is written and read back; nothing is written before one comes.
 */
export const contactRelay = ({ look, restore, watch, lookMs, pollMs = POLL_MS }: ContactPlan): RelayDriver =>
  fromDriver<RelayDriverCommand, undefined, RelayFact>(({ send, onEvent, guard, signal }) => {
    let wish: boolean | null = null;
    let told: boolean | null = null;
    const isOutdated = (): boolean => wish !== null;
    const tell = (closed: boolean): void => {
      told = closed;
      send({ type: 'relay.seen', closed });
    };
    const attempt = async (contact: Contact, closed: boolean): Promise<string | null> => {
      try {
        await contact.write(closed);
        return null;
      } catch (error) {
        if (isGone(error)) throw error;
        return errorCode(error);
      }
    };
    const writeWish = async (contact: Contact, closed: boolean): Promise<void> => {
      wish = null;
      const refused = await attempt(contact, closed);
      if (isOutdated()) return;
      const read = await contact.read();
      // A newer wish came meanwhile: what was read is no answer to it.
      if (isOutdated()) return;
      if (refused !== null) send({ type: 'relay.refused', code: refused });
      else if (read !== closed) send({ type: 'relay.refused', code: 'not-taken' });
      if (read !== null) tell(read);
    };
    const attached = attach<Contact>(
      { guard, signal },
      {
        look,
        ...(watch === undefined ? {} : { watch }),
        ...(lookMs === undefined ? {} : { lookMs }),
        report: ({ device, verdict }) => {
          told = null;
          wish = null;
          send({ type: 'relay.found', found: device !== null, verdict, restore });
        },
        step: async (contact) => {
          if (wish !== null) await writeWish(contact, wish);
          else {
            const read = await contact.read();
            if (!isOutdated() && read !== null && read !== told) tell(read);
          }
          return pollMs;
        },
      },
    );
    onEvent((command) => {
      if (command.type === 'relay.switch') wish = command.closed;
      attached.stir();
    });
    return () => attached.stop(async () => {});
  });
