import { z } from 'zod';
import type { IdentityRecord, MachineFacts } from './events.ts';
import { once } from '../kit/once.ts';
import { PANEL_ID_LENGTH, panelSlug } from '../kit/panel-slug.ts';

/** Host names that installers assign by default: two such panels would get the same id. */
const DEFAULT_HOST_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'raspberrypi',
  'debian',
  'ubuntu',
  'dietpi',
  'archlinux',
  'fedora',
  'orangepi',
  'rock',
  'armbian',
  'alarm',
  'linux',
  'panel',
  'sconce',
]);

/** Length of the suffix that tells panels with a default host name apart. */
const SUFFIX_LENGTH = 4;

/** Most fingerprints kept for one machine: adapters come and go. */
const MOST_FINGERPRINTS = 32;

const fingerprint = once(() => z.string().regex(/^[0-9a-f]{64}$/));

const identityRecord = once(() =>
  z.object({
    installId: z.string().regex(/^[0-9a-f]{32}$/),
    fingerprint: fingerprint().nullable(),
    fingerprints: z.array(fingerprint()).default([]),
    autoPanelId: z.string().regex(/^[a-z0-9_]{1,63}$/),
  }),
);

const hostSlug = (hostName: string): string => panelSlug(hostName.split('.')[0] ?? '');

/** True if the host name does not identify this panel. */
export function isDefaultHostName(hostName: string): boolean {
  const slug = hostSlug(hostName);
  return slug === '' || DEFAULT_HOST_NAMES.has(slug);
}

/** The default panel id: the host name, with four digits of the install id if the host name is a common default. */
export function autoPanelId(hostName: string, installId: string): string {
  const slug = hostSlug(hostName);
  if (!isDefaultHostName(hostName)) return slug;
  const stem = (slug === '' ? 'panel' : slug).slice(0, PANEL_ID_LENGTH - SUFFIX_LENGTH - 1);
  return `${stem}_${installId.slice(0, SUFFIX_LENGTH)}`;
}

/** The record to use, and what happened to the stored one. */
export interface GeneratedIdentity {
  readonly record: IdentityRecord;
  /**
   * `kept` unchanged; `completed` with new fingerprints; `generated` for the first time; `regenerated` on another
   * machine.
   */
  readonly outcome: 'kept' | 'completed' | 'generated' | 'regenerated';
}

/**
 * Keeps what was generated once. A card cloned into another machine (both have fingerprints and share none) gets a
 * new install id; without fingerprints (no network card is up yet) nothing changes.
 */
export function generateIdentity(stored: unknown, facts: MachineFacts, fresh: string): GeneratedIdentity {
  const known = identityRecord().safeParse(stored);
  const now = [...new Set([...(facts.fingerprint === null ? [] : [facts.fingerprint]), ...facts.fingerprints])].slice(
    0,
    MOST_FINGERPRINTS,
  );
  const generated = {
    installId: fresh,
    fingerprint: facts.fingerprint,
    fingerprints: now,
    autoPanelId: autoPanelId(facts.hostName, fresh),
  };
  if (!known.success) return { record: generated, outcome: 'generated' };
  const record = known.data;
  const before = new Set([...(record.fingerprint === null ? [] : [record.fingerprint]), ...record.fingerprints]);
  if (before.size > 0 && now.length > 0 && !now.some((one) => before.has(one)))
    return { record: generated, outcome: 'regenerated' };
  const all = [...new Set([...now, ...before])].slice(0, MOST_FINGERPRINTS);
  if (now.length === 0 || all.every((one) => record.fingerprints.includes(one))) return { record, outcome: 'kept' };
  return {
    record: { ...record, fingerprint: record.fingerprint ?? facts.fingerprint, fingerprints: all },
    outcome: 'completed',
  };
}
