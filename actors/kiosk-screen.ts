import type { Place } from '#machines/approvals/events.ts';
import { placeOf } from '#machines/approvals/place-of.ts';
import { isDark } from '#machines/renderer/target.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import { followAll } from './kit/follow-all.ts';
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

/** True if a screen is lit, or none can be read: one that cannot be read is one that a person sees. */
export function isAnyLit(screens: Readonly<Record<string, boolean | null>>): boolean {
  const known = Object.values(screens).filter((one) => one !== null);
  return known.length === 0 || known.includes(true);
}

/** If a screen is lit; null while it cannot be read or is absent. */
export const litOf = (snapshot: { readonly context: { readonly lit: boolean | null } } | undefined): boolean | null =>
  snapshot?.context.lit ?? null;

/** Follows whether a screen is lit, for what a touch of a dark one must not begin. */
export const followLight = (registry: Pick<Registry, 'follow'>, onLight: (isLit: boolean) => void): (() => void) =>
  followAll(registry, { screen: litOf, screen_2: litOf, screen_3: litOf, screen_4: litOf }, (lit) =>
    onLight(!isDark(Object.values(lit))),
  );
