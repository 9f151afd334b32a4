import { type Assignment, type AssignedBy, type Assignments, isFor, type Recipient } from '../kit/recipient.ts';
import type { EpochMs } from '../kit/units.ts';
import { plainSettings } from '../settings.ts';
import type { Configuration } from './merge.ts';

/** How credentials were supplied. */
export interface Bringing {
  readonly by: AssignedBy;
  readonly at: EpochMs;
  /** New random id, shared by all credentials of one change. */
  readonly id: string;
  /** Recipients that differ from those the settings name now. */
  readonly recipients?: ReadonlyMap<string, Recipient | null>;
}

/** The recipient that the settings name for a credential; null if they name none. */
export function recipientNamed({ values }: Pick<Configuration, 'values'>, secret: string): Recipient | null {
  const row = plainSettings.find(({ recipientOf }) => recipientOf?.secrets.includes(secret));
  return row?.recipientOf?.recipient(String(values[row.key] ?? '')) ?? null;
}

/**
 * The assignments after credentials were supplied. The same secret for the same recipient keeps its assignment, also
 * for a found recipient that it is bound to. So does one from a file without a recipient yet: reading the file again
 * must not reopen it.
 */
export function assignmentsAfter(
  before: { readonly configuration: Configuration; readonly assignments: Assignments },
  after: Configuration,
  brought: readonly string[],
  { by, at, id, recipients }: Bringing,
): Assignments {
  const next = new Map(before.assignments);
  for (const secret of brought) {
    const recipient =
      recipients?.has(secret) === true ? (recipients.get(secret) ?? null) : recipientNamed(after, secret);
    const known = next.get(secret) ?? null;
    const isSameSecret = before.configuration.secrets[secret] === after.secrets[secret];
    // It is bound to a found broker: if that is gone, a person has to confirm the new one.
    const isBound = recipient === null && known?.recipient?.name != null;
    const isWaiting = recipient === null && known?.recipient === null && known.by === 'file' && by === 'file';
    if (isSameSecret && (isFor(known, recipient) || isBound || isWaiting)) continue;
    next.set(secret, { id, recipient, by, at });
  }
  return next;
}

/**
 * The assignments of a panel upgraded from a version without them: each credential is assigned once to the recipient
 * that the settings name, or to the found broker that it was bound to.
 */
export const upgradedAssignments = (
  configuration: Configuration,
  bound: ReadonlyMap<string, Recipient>,
  { at, id }: Pick<Bringing, 'at' | 'id'>,
): Assignments =>
  new Map(
    Object.keys(configuration.secrets).map((secret): [string, Assignment] => [
      secret,
      { id, recipient: recipientNamed(configuration, secret) ?? bound.get(secret) ?? null, by: 'upgrade', at },
    ]),
  );

/** Credentials that had a recipient and now have a different one. */
export const movedSecrets = (before: Assignments, after: Assignments): readonly string[] =>
  [...before]
    .filter(([key, assignment]) => {
      const next = after.get(key);
      return assignment.recipient !== null && next !== undefined && !isFor(next, assignment.recipient);
    })
    .map(([key]) => key);
