import { z } from 'zod';

import { once } from './once.ts';
import type { EpochMs, Milliseconds } from './units.ts';

/**
 * Whom a secret is for: one listener, by scheme, host and port. Where it was found on the network, `host` is the
 * address that was found and `name` the one it was advertised under; both have to be the same for it to count as the
 * same recipient.
 */
export interface Recipient {
  readonly scheme: string;
  readonly host: string;
  /** TCP port. */
  readonly port: number;
  /** Null where a person or a command line named the host. */
  readonly name: string | null;
}

/** How a secret came to be stored. */
export type AssignedBy =
  /** In a save of settings. */
  | 'save'
  /** From a file that the command line or an installation named. */
  | 'file'
  /** It was stored before recipients were kept. */
  | 'upgrade';

/** A stored secret's recipient, kept beside it. */
export interface Assignment {
  /** Random: another one with each save that brings the secret, so that a late answer about an earlier one is known. */
  readonly id: string;
  /** Null while the secret is for nobody yet. */
  readonly recipient: Recipient | null;
  readonly by: AssignedBy;
  readonly at: EpochMs;
}

/**
 * How long after a save the only recipient that is found may take the secret: a person who enters it stands before the
 * panel's page and means what is there now.
 */
export const OPEN_MS: Milliseconds = 60_000;

/** True if both are the same listener, found or named alike; nobody is the same as nobody else. */
export const isSameRecipient = (one: Recipient | null, other: Recipient | null): boolean =>
  one !== null &&
  other !== null &&
  one.scheme === other.scheme &&
  one.host === other.host &&
  one.port === other.port &&
  one.name === other.name;

/** True if a secret with this assignment may be sent to that recipient. */
export const isFor = (assignment: Assignment | null, recipient: Recipient | null): boolean =>
  isSameRecipient(assignment?.recipient ?? null, recipient);

/**
 * How long the only recipient that is found may still take it, in milliseconds; 0 for a secret that has one, that
 * nobody saved by hand, or whose save is too old. A clock that was set back ends it too.
 */
export function openFor(assignment: Assignment | null, now: EpochMs): Milliseconds {
  if (assignment === null || assignment.recipient !== null || assignment.by !== 'save') return 0;
  const age = now - assignment.at;
  return age < 0 ? 0 : Math.max(0, OPEN_MS - age);
}

/** A recipient as it is stored. */
export const storedRecipient = once(() =>
  z.object({
    scheme: z.string().max(16),
    host: z.string().max(255),
    port: z.int().min(1).max(65_535),
    name: z.string().max(255).nullable(),
  }),
);

const storedAssignment = once(() =>
  z.object({
    id: z.string().min(1).max(64),
    recipient: storedRecipient().nullable(),
    by: z.enum(['save', 'file', 'upgrade']),
    at: z.number(),
  }),
);

/** Name of the assignments in the stored section of the secrets: one read gets a secret with its recipient. */
export const ASSIGNMENTS = 'recipients';

/** Assignments by the setting of their secret. */
export type Assignments = ReadonlyMap<string, Assignment>;

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** A secret whose assignment is missing or cannot be read is for nobody, and can be confirmed. */
export const unassigned: Assignment = { id: 'unassigned', recipient: null, by: 'file', at: 0 };

/** The assignments in the stored section of the secrets; a secret from before they were kept has none. */
export function readAssignments(secrets: unknown): Assignments {
  const stored = fieldsOf(secrets).find(([name]) => name === ASSIGNMENTS);
  return new Map(
    fieldsOf(stored?.[1]).map(([key, entry]) => [key, storedAssignment().safeParse(entry).data ?? unassigned]),
  );
}

/** The section of the secrets with the assignments of those that are in it; none of a removed secret stays. */
export function withAssignments(
  secrets: Readonly<Record<string, unknown>>,
  assignments: Assignments,
): Readonly<Record<string, unknown>> {
  const { [ASSIGNMENTS]: _, ...plain } = secrets;
  const kept = [...assignments].filter(([key]) => Object.hasOwn(plain, key));
  return kept.length === 0 ? plain : { ...plain, [ASSIGNMENTS]: Object.fromEntries(kept) };
}
