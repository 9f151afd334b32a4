import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readMatchFacts } from '#drivers/profiles/match-facts.ts';
import type { MatchFacts } from '#machines/profile-catalog/reading.ts';

import { type BundledProfile, bundledProfiles } from './bundled.ts';
import type { ProfileShape } from './document.ts';
import { emergencyProfile } from './emergency.ts';
import { matchable, type Matched, matchProfiles } from './match.ts';
import { resolveProfile } from './resolve.ts';
import type { ResolvedProfile } from './resolved.ts';
import { fallbackId } from './rules.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** Short names that `--profile` accepts beside the ids of bundled profiles. */
export const shortNames: Readonly<Record<string, string>> = { linux: fallbackId };
/** Takes the best match for the hardware, never the simulated panel. */
export const autoName = 'auto';

/** The id of the profile that `--default-profile` names; null if the match for the machine is wanted. */
export const preferredId = (preferred: string | null): string | null =>
  preferred === null || preferred === autoName ? null : (ownField(shortNames, preferred) ?? preferred);

/** Where to look for signs of a screen; tests name other folders than the kernel's. */
export interface ScreenSigns {
  /** Folder of the kernel's backlights. */
  readonly backlights: string;
  /** Folder of the kernel's graphics cards, one subfolder per connector. */
  readonly connectors: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A revision that the owner selected, already read. */
export interface SelectedRevision {
  readonly document: ProfileShape;
  readonly hash: string;
  readonly origin: 'bundled' | 'local';
}

/** Why a profile was taken; `fallback` and `emergency` if the intended one cannot be used. */
export type ChoiceReason = 'asked' | 'selected' | 'preferred' | 'no-screen' | Matched['why'] | 'fallback' | 'emergency';

/** Inputs of a choice; the machine's own by default. */
export interface ChoiceFacts {
  /** Value of `--profile`; null without it. */
  readonly asked?: string | null;
  /** The stored selection; null if there is none. */
  readonly selected?: SelectedRevision | null;
  /** Value of `--default-profile`, which replaces the match for the machine; null without it. */
  readonly preferred?: string | null;
  readonly signs?: ScreenSigns;
  readonly facts?: () => MatchFacts;
  readonly bundled?: readonly BundledProfile[];
}

/** The profile that was taken. */
export interface ChosenProfile {
  readonly profile: ResolvedProfile;
  readonly why: ChoiceReason;
}

/** Signs of a screen in the kernel and in this process's environment. */
export const kernelSigns = (): ScreenSigns => ({
  backlights: '/sys/class/backlight',
  connectors: '/sys/class/drm',
  env: process.env,
});

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No such class: the kernel has no such device.
    return [];
  }
}

function isConnected(connector: string): boolean {
  try {
    return readFileSync(join(connector, 'status'), 'utf8').trim() === 'connected';
  } catch {
    // Only connectors have a status, the card itself has none.
    return false;
  }
}

/** True if the machine shows a screen: a backlight, a graphical session or a connected monitor. */
export const hasScreen = ({ backlights, connectors, env }: ScreenSigns = kernelSigns()): boolean =>
  namesIn(backlights).length > 0 ||
  [env['WAYLAND_DISPLAY'], env['DISPLAY']].some((name) => name !== undefined && name !== '') ||
  namesIn(connectors).some((name) => isConnected(join(connectors, name)));

/** The profile to try first: the one on the command line, else the selected one, else the match for the machine. */
function firstChoice({
  asked = null,
  selected = null,
  preferred = null,
  signs,
  facts = readMatchFacts,
  bundled = [],
}: ChoiceFacts): { readonly revision: SelectedRevision | null; readonly why: ChoiceReason } {
  const named = (id: string): SelectedRevision | null => {
    const found = bundled.find(({ document }) => document.id === id);
    return found === undefined ? null : { document: found.document, hash: found.summary.revision, origin: 'bundled' };
  };
  if (asked !== null && asked !== autoName)
    return { revision: named(ownField(shortNames, asked) ?? asked), why: 'asked' };
  if (selected !== null) return { revision: selected, why: 'selected' };
  const instead = preferredId(preferred);
  if (instead !== null) return { revision: named(instead), why: 'preferred' };
  if (asked === null && !hasScreen(signs)) return { revision: named('simulated'), why: 'no-screen' };
  const matched = matchProfiles(
    facts(),
    bundled.map(({ document }) => matchable(document)),
  );
  return { revision: named(matched.id), why: matched.why };
}

function tryRevision(revision: SelectedRevision | null): ResolvedProfile | null {
  if (revision === null) return null;
  try {
    return resolveProfile(revision.document, revision);
  } catch {
    // A broken profile gives way to the next; `readProfile` reports what is wrong with it.
    return null;
  }
}

/**
 * Chooses a profile and creates its drivers. One that cannot be used gives way to the fallback, and that to the
 * emergency profile. Called once, at start.
 */
export function chooseProfile(facts: ChoiceFacts = {}): ChosenProfile {
  const bundled = facts.bundled ?? bundledProfiles();
  const first = firstChoice({ ...facts, bundled });
  const profile = tryRevision(first.revision);
  if (profile !== null) return { profile, why: first.why };
  const fallback = tryRevision(firstChoice({ asked: fallbackId, bundled }).revision);
  return fallback === null ? { profile: emergencyProfile(), why: 'emergency' } : { profile: fallback, why: 'fallback' };
}
