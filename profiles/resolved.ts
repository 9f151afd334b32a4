import type { AnyActorLogic } from 'xstate';

import type { LightId } from '#machines/lights/events.ts';
import type { ProvisioningWish, SlotEvidence } from '#machines/provisioning/events.ts';
import type { ProfileMaturity } from '#machines/profiles/events.ts';
import type { RelayId } from '#machines/relays/events.ts';
import type { AdbLink } from '#drivers/adb/link.ts';
import type { Loudspeaker } from '#drivers/announcer/sound-system.ts';

/**
 * One part that the profile declares: what its driver needs of the machine, and a look at its device that touches
 * nothing.
 */
export interface DeclaredPart {
  readonly wish: ProvisioningWish;
  readonly look: () => Promise<SlotEvidence>;
}

/** Where a resolved profile comes from. */
export interface ProfileRevision {
  /** SHA-256 of the exact bytes; empty for the emergency profile, which comes from no file. */
  readonly hash: string;
  readonly origin: 'bundled' | 'local';
  readonly version: string;
  readonly maturity: ProfileMaturity;
}

/** What the active profile says this panel has, with the compiled driver that reaches each part. */
export interface ResolvedProfile {
  /** Stable id, `generic-linux` or `simulated`. */
  readonly id: string;
  readonly title: string;
  /** Which exact bytes it came from. */
  readonly revision: ProfileRevision;
  /** True when no hardware is touched; said loudly wherever the panel is shown. */
  readonly simulated: boolean;
  /**
   * Driver of the screen (facts and commands in `machines/screen/events.ts`); null when the profile declares it absent.
   */
  readonly screen: AnyActorLogic | null;
  /** Drivers of the second and further displays; each is a light of its own once it is there. */
  readonly furtherScreens: readonly AnyActorLogic[];
  /** Driver of touch screens, keys and buttons (`machines/input/events.ts`); null when declared absent. */
  readonly input: AnyActorLogic | null;
  /** Driver of the music stream (`machines/volume/events.ts`); null when declared absent. */
  readonly volume: AnyActorLogic | null;
  /** What announcements are played with; null when declared absent. */
  readonly loudspeaker: Loudspeaker | null;
  /** Driver that reboots (`machines/power/events.ts`); null when declared absent. */
  readonly power: AnyActorLogic | null;
  /** Drivers of the lights beside the screen (`machines/lights/events.ts`); what is declared absent is left out. */
  readonly lights: Readonly<Partial<Record<LightId, AnyActorLogic>>>;
  /** Drivers of the relays (`machines/relays/events.ts`); what is declared absent is left out. */
  readonly relays: Readonly<Partial<Record<RelayId, AnyActorLogic>>>;
  /** Whether the profile names hardware buttons; the input driver reads them. */
  readonly buttons: boolean;
  /** Drivers of the sensors; null when declared absent. */
  readonly illuminance: AnyActorLogic | null;
  readonly temperature: AnyActorLogic | null;
  readonly humidity: AnyActorLogic | null;
  readonly proximity: AnyActorLogic | null;
  /** Driver that watches the Zigbee gateway's radio process; null when declared absent. */
  readonly zigbee: AnyActorLogic | null;
  /** The link to the Android panel that the other drivers share; null on any other panel. */
  readonly adb: AdbLink | null;
  /** Driver of the simulated hardware's own page (`machines/simulator/events.ts`); null on real hardware. */
  readonly simulator: AnyActorLogic | null;
  /** Every part that the profile declares, in the order of the document. */
  readonly declared: readonly DeclaredPart[];
  /** Whether the profile says there is no camera. */
  readonly cameraSuppressed: boolean;
}
