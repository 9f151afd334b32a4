import { z } from 'zod';

import { once } from './once.ts';
import type { EpochMs, Milliseconds } from './units.ts';

/**
 * The recipient of a secret: one server, by scheme, host and port. If it was found on the network, `host` is the
 * address that was found and `name` its advertised name; both must match for it to count as the same recipient.
 */
export interface Recipient {
  readonly scheme: string;
  readonly host: string;
  /** TCP port. */
  readonly port: number;
  /** Null if a person or a command line named the host. */
  readonly name: string | null;
}

/** How a secret came to be stored. */
export type AssignedBy =
  /** Saved with the settings. */
  | 'save'
  /** From a file that the command line or an installation named. */
  | 'file'
  /** Stored by a version that did not record recipients. */
  | 'upgrade';

/** A stored secret's recipient, kept beside it. */
export interface Assignment {
  /** Random, new with each save of the secret, so that a late answer about an earlier one is recognised. */
  readonly id: string;
  /** Null while the secret has no recipient yet. */
  readonly recipient: Recipient | null;
  readonly by: AssignedBy;
  readonly at: EpochMs;
}

/**
 * How long after a save the only server that is found may become the recipient: the person who enters the secret is
 * looking at the panel's page and means what is there now.
 */
export const OPEN_MS: Milliseconds = 60_000;

/** True if both are the same server, found or named alike; null equals nothing, not even null. */
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
 * How long the only server that is found may still become the recipient, in milliseconds; 0 for a secret that has one,
 * was not saved by hand, or was saved too long ago. A clock that was set back ends it too.
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

/** Key of the assignments in the stored section of the secrets: one read returns a secret with its recipient. */
export const ASSIGNMENTS = 'recipients';

/** Assignments by the setting of their secret. */
export type Assignments = ReadonlyMap<string, Assignment>;

const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** A secret whose assignment is missing or unreadable has no recipient, and can be confirmed. */
export const unassigned: Assignment = { id: 'unassigned', recipient: null, by: 'file', at: 0 };

/** The assignments in the stored section of the secrets; a secret from an older version has none. */
export function readAssignments(secrets: unknown): Assignments {
  const stored = fieldsOf(secrets).find(([name]) => name === ASSIGNMENTS);
  return new Map(
    fieldsOf(stored?.[1]).map(([key, entry]) => [key, storedAssignment().safeParse(entry).data ?? unassigned]),
  );
}

/** The section of the secrets with the assignments of those in it; that of a removed secret is dropped. */
export function withAssignments(
  secrets: Readonly<Record<string, unknown>>,
  assignments: Assignments,
): Readonly<Record<string, unknown>> {
  const { [ASSIGNMENTS]: _, ...plain } = secrets;
  const kept = [...assignments].filter(([key]) => Object.hasOwn(plain, key));
  return kept.length === 0 ? plain : { ...plain, [ASSIGNMENTS]: Object.fromEntries(kept) };
}
