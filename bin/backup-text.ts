import { z } from 'zod';
import type { RestoreDocument } from '#machines/backup/document.ts';
import type { ArchiveOrigin, ArchivePart } from '#machines/backup/events.ts';
import { once } from '#machines/kit/once.ts';

/** What the commands read of answers; more than that may be in them. */
export const ProblemRead = once(() =>
  z.object({ message: z.string(), reasons: z.record(z.string(), z.string()).optional() }),
);
export const StatusRead = once(() =>
  z.object({
    running: z.boolean(),
    kind: z.string().nullable().optional(),
    message: z.string(),
    started_at: z.number().nullable().optional(),
    result: z.object({ status: z.string() }).nullable().optional(),
  }),
);

const origins: Readonly<Record<ArchiveOrigin, string>> = {
  'this-machine': 'from this machine',
  'another-machine': 'from another machine: names, settings of its hardware, its state and its sign-in stay out',
  replaces: 'from the panel whose place this one takes',
};

const parts: Readonly<Record<ArchivePart, string>> = {
  config: 'Settings',
  filter: 'Dashboards’ entities',
  panel: 'State of the panel',
  profiles: 'Saved profiles',
  companion: 'Sign-in',
};

const does = { restored: 'comes back', unchanged: 'stays as it is', skipped: 'is skipped', absent: 'is not in it' };

const change = ({ key, from, to }: RestoreDocument['changes'][number]): string =>
  from === null && to === null ? `  ${key}: another secret` : `  ${key}: ${from ?? 'a secret'} -> ${to ?? 'a secret'}`;

const part = ({ part: name, does: what, why }: RestoreDocument['parts'][number]): string =>
  `  ${parts[name].padEnd(20)}  ${does[what]}${why === '' ? '' : `: ${why}`}`;

/** What a restore does, line by line. */
export function restoreLines(document: RestoreDocument): readonly string[] {
  const { origin, made_at: madeAt, made_by: madeBy, version, changes, skipped_keys: skipped, profile } = document;
  const made = new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ');
  return [
    `A backup of ${madeBy}, made ${made} UTC by version ${version},`,
    `${origins[origin]}.`,
    ...(document.state_unavailable ? ['Some state of its panel could not be read then, and is missing.'] : []),
    ...document.parts.map(part),
    ...(changes.length === 0 ? ['No setting changes.'] : ['Settings that change:', ...changes.map(change)]),
    ...(skipped.length === 0 ? [] : ['Settings that are not taken:']),
    ...skipped.map(({ key, message }) => `  ${key}: ${message}`),
    ...(profile === null ? [] : [`The profile ${profile} is tried after the restart.`]),
  ];
}
