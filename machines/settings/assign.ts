import { type Assignment, type AssignedBy, type Assignments, isFor, type Recipient } from '../kit/recipient.ts';
import type { EpochMs } from '../kit/units.ts';
import { plainSettings } from '../settings.ts';
import type { Configuration } from './merge.ts';

/** How credentials were brought. */
export interface Bringing {
  readonly by: AssignedBy;
  readonly at: EpochMs;
  /** A fresh random text, one for all that are brought together. */
  readonly id: string;
  /** Whom each is for, where that is not whom the settings name now. */
  readonly recipients?: ReadonlyMap<string, Recipient | null>;
}

/** Whom the settings name for a credential; null for nobody, and for a credential that no setting names anybody for. */
export function recipientNamed({ values }: Pick<Configuration, 'values'>, secret: string): Recipient | null {
  const row = plainSettings.find(({ recipientOf }) => recipientOf?.secrets.includes(secret));
  return row?.recipientOf?.recipient(String(values[row.key] ?? '')) ?? null;
}

/**
 * The assignments once these credentials were brought. The same secret for the same recipient stays as it is, also for
 * a found one that it is bound to, and so does one from a file that is for nobody yet: a file that is read again frees
 * nothing.
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
    // It is for the broker that was found and bound: where that is gone, a person confirms the one that is there.
    const isBound = recipient === null && known?.recipient?.name != null;
    const isWaiting = recipient === null && known?.recipient === null && known.by === 'file' && by === 'file';
    if (isSameSecret && (isFor(known, recipient) || isBound || isWaiting)) continue;
    next.set(secret, { id, recipient, by, at });
  }
  return next;
}

/**
 * The assignments of a panel that kept none: each credential is for whom the settings name, once; one for a broker that
 * is looked for stays with the broker that it was bound to.
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

/** Credentials whose recipient differs afterwards, of those that had one. */
export const movedSecrets = (before: Assignments, after: Assignments): readonly string[] =>
  [...before]
    .filter(([key, assignment]) => {
      const next = after.get(key);
      return assignment.recipient !== null && next !== undefined && !isFor(next, assignment.recipient);
    })
    .map(([key]) => key);
