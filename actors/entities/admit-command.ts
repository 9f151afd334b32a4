import type { AnyActor } from '#machines/actors.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { commandText, commandWords } from '#machines/entities/command-words.ts';
import type { CommandRefused, EntityRow, RowCommand, RowProtection } from '#machines/kit/entity.ts';
import { questionText } from '#machines/kit/shown-text.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { isOperation, type Operation, operations } from '#machines/operations.ts';

import type { Admission, Admitted } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';

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

/** The answer: the command to carry out, or why it is not. */
export type AdmittedCommand =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly refusal: CommandRefused };

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
    const judged = admission.admit({
      operation,
      what: questionText(commandWords(row, value)),
      peer: source.peer,
      trusted: false,
      binds: commandText(row.key, value),
      effect: operations[operation].in === 'every' && patch !== null ? { do: 'settings', patch } : null,
    });
    const answer = (admitted: Admitted): AdmittedCommand =>
      admitted.ok
        ? { ok: true, command: withAdmitted(command, operation) }
        : { ok: false, refusal: { reason: admitted.reason, message: admitted.message } };
    return judged instanceof Promise ? judged.then(answer) : answer(judged);
  };
