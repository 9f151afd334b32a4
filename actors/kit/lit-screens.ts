import { followAll } from './follow-all.ts';
import type { Registry } from './registry.ts';

/** If a screen is lit; null while it cannot be read or is absent. */
export const litOf = (snapshot: { readonly context: { readonly lit: boolean | null } } | undefined): boolean | null =>
  snapshot?.context.lit ?? null;

/** True if a screen is lit, or none can be read: one that cannot be read is one that a person sees. */
export function isAnyLit(screens: Readonly<Record<string, boolean | null>>): boolean {
  const known = Object.values(screens).filter((one) => one !== null);
  return known.length === 0 || known.includes(true);
}

/** True unless a screen is known to be dark: which of them shows the browser's window is unknown. */
export const isEachLit = (screens: Readonly<Record<string, boolean | null>>): boolean =>
  !Object.values(screens).includes(false);

/** Follows whether a screen is lit, for what a touch of a dark one must not begin. */
export const followLight = (registry: Pick<Registry, 'follow'>, onLight: (isLit: boolean) => void): (() => void) =>
  followAll(registry, { screen: litOf, screen_2: litOf, screen_3: litOf, screen_4: litOf }, (lit) =>
    onLight(isAnyLit(lit)),
  );
