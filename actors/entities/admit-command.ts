import type { AnyActor } from '#machines/actors.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { APPROVAL_MS } from '#machines/entities/limits.ts';
import { denied, unanswered } from '#machines/entities/outcome.ts';
import { commandText, commandWords } from '#machines/entities/command-words.ts';
import type { CommandRefused, EntityRow, RowCommand, RowProtection } from '#machines/kit/entity.ts';
import { ownField } from '#machines/kit/own-field.ts';
import { questionText } from '#machines/kit/shown-text.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { isOperation, type Operation, operations } from '#machines/operations.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import type { Admission, Admitted } from '../kit/admission.ts';
import { sameValue } from '../kit/follow.ts';
import type { Registry } from '../kit/registry.ts';
import { until } from '../kit/until.ts';

type Row = EntityRow<AnyActor>;
type Command = RowCommand<AnyActor>;

/** Who commands. */
export interface CommandSource {
  /** As the actors note it: `home-assistant`. */
  readonly origin: string;
  /** As approvals tell one from another: `mqtt`, or the id of a key. */
  readonly peer: string;
}

/** A valid command for a row. */
export interface GivenCommand {
  readonly source: CommandSource;
  readonly row: Row;
  readonly value: CommandValue;
  readonly command: Command;
}

/** What a command needs before it is carried out. */
type Need =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly refusal: CommandRefused }
  | { readonly kind: 'operation'; readonly operation: Operation };

/** A request that waits for a person at the panel. */
interface Awaited {
  readonly id: string;
  readonly operation: Operation;
  readonly peer: string;
  /** What the approval itself changes; null if the command is to be repeated after it. */
  readonly patch: Readonly<Record<string, unknown>> | null;
}

/** The answer: the command to carry out (null if the approval did that itself), or why it is not. */
export type AdmittedCommand =
  | { readonly ok: true; readonly command: Command | null }
  | { readonly ok: false; readonly refusal: CommandRefused; readonly awaits?: Awaited };

const nothing: Need = { kind: 'nothing' };
const refused = (reason: string, message: string): Need => ({ kind: 'refused', refusal: { reason, message } });

/** The row's own judgement of a command, whose value has the type of the row's kind: its `write` accepted it. */
function protectedBy({ row, value }: GivenCommand, snapshot: SnapshotView): string | null {
  if (!('protects' in row) || row.protects === null) return null;
  if (typeof row.protects === 'string') return row.protects;
  // The compiler cannot join the value of one row with the decision of the same row.
  const decide = row.protects as Extract<RowProtection<AnyActor, CommandValue>, (...given: never) => unknown>;
  return decide(value, snapshot);
}

function needOf(given: GivenCommand, registry: Pick<Registry, 'read'>): Need {
  const { row } = given;
  if (!('protects' in row) || row.protects === null) return nothing;
  const snapshot = registry.read(row.actor);
  if (snapshot === undefined) return refused('absent', 'This part of the panel is not running now.');
  const name = protectedBy(given, snapshot);
  if (name === null) return nothing;
  // A person is asked only for what can be carried out.
  if (!row.available(snapshot)) return refused('unavailable', 'This part of the panel is not available now.');
  if (!isOperation(name)) return refused('unknown-operation', 'This panel does not know what protects this entity.');
  return { kind: 'operation', operation: name };
}

/** The command with what was admitted for it, which the settings check once more. */
const withAdmitted = (command: Command, operation: Operation): Command =>
  command.do === 'ask' && command.event.type === 'settings.merge'
    ? { ...command, event: { ...command.event, admitted: [operation] } }
    : command;

/** Admits commands of Home Assistant: at once where nothing is asked at the panel. */
export const commandAdmission =
  (registry: Pick<Registry, 'read'>, admission: Pick<Admission, 'admit'>) =>
  (given: GivenCommand): AdmittedCommand | Promise<AdmittedCommand> => {
    const { row, value, command, source } = given;
    const need = needOf(given, registry);
    if (need.kind === 'nothing') return { ok: true, command };
    if (need.kind === 'refused') return { ok: false, refusal: need.refusal };
    const { operation } = need;
    const patch = command.do === 'ask' && command.event.type === 'settings.merge' ? command.event.patch : null;
    const effect = operations[operation].in === 'every' && patch !== null ? { do: 'settings' as const, patch } : null;
    const judged = admission.admit({
      operation,
      what: questionText(commandWords(row, value)),
      peer: source.peer,
      trusted: false,
      binds: commandText(row.key, value),
      effect,
    });
    const answer = (admitted: Admitted): AdmittedCommand =>
      admitted.ok
        ? { ok: true, command: withAdmitted(command, operation) }
        : {
            ok: false,
            refusal: { reason: admitted.reason, message: admitted.message },
            ...(admitted.approvalId !== undefined && {
              awaits: { id: admitted.approvalId, operation, peer: source.peer, patch: effect?.patch ?? null },
            }),
          };
    return judged instanceof Promise ? judged.then(answer) : answer(judged);
  };

export interface AwaitApprovalDeps {
  readonly registry: Pick<Registry, 'follow' | 'read'>;
  readonly admission: Pick<Admission, 'whenAnswered'>;
  /** Admits the command once more, which uses up its approval. */
  readonly admit: (given: GivenCommand) => AdmittedCommand | Promise<AdmittedCommand>;
}

/**
 * Admits a command that waits for a person, once that person approved it; after a minute without an answer, what was
 * said at first stays.
 */
export const admitOnceApproved =
  ({ registry, admission, admit }: AwaitApprovalDeps) =>
  async (given: GivenCommand, first: AdmittedCommand, signal: AbortSignal): Promise<AdmittedCommand> => {
    if (first.ok || first.awaits === undefined) return first;
    const { patch, ...request } = first.awaits;
    const answer = await admission.whenAnswered(request, APPROVAL_MS, signal);
    if (answer === 'pending') return first;
    if (answer === 'denied') return { ok: false, refusal: denied };
    if (patch === null) return admit(given);
    const changed = await until(
      registry,
      'settings',
      ({ context }) => Object.entries(patch).every(([key, value]) => sameValue(ownField(context.values, key), value)),
      SAVE_MS,
      { signal },
    );
    return changed.ok ? { ok: true, command: null } : { ok: false, refusal: unanswered.timeout };
  };
