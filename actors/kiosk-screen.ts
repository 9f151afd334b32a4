import type { Place } from '#machines/approvals/events.ts';
import { placeOf } from '#machines/approvals/place-of.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import type { Registry } from './kit/registry.ts';

/** The panel, as far as it decides where something can be shown. */
export interface KioskPanel {
  readonly registry: Registry;
  readonly simulated: boolean;
  /** True if the panel is controlled through `adb`. */
  readonly android: boolean;
}

/** Follows where a question or a mark can be shown. */
export const followPlace = (
  { registry, simulated, android }: KioskPanel,
  onPlace: (place: Place) => void,
): (() => void) =>
  registry.follow(
    'renderer',
    (snapshot) =>
      placeOf({
        simulated,
        android,
        renderer: snapshot && { mode: snapshot.context.mode, route: snapshot.context.route, phase: phaseOf(snapshot) },
      }),
    onPlace,
  );
