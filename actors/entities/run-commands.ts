import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import { type CommandValue, rowCommandOf } from '#machines/entities/command.ts';
import { enter, type InFlight, leave } from '#machines/entities/in-flight.ts';
import { refusalAtOnce } from '#machines/entities/outcome.ts';
import type { CommandOutcome, CommandRefused, EntityRow, RowCommand } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { offIn } from '#machines/settings/off-in.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import type { Admission } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';
import { type AdmittedCommand, commandAdmission, type GivenCommand } from './admit-command.ts';

/** Longest wait for an actor that is asked to carry out a command. */
const ANSWER_MS: Milliseconds = 8000;
const waitFor = (event: Asked['event']): Milliseconds => (event.type === 'settings.merge' ? SAVE_MS : ANSWER_MS);

type Row = EntityRow<AnyActor>;
type Asked = Extract<RowCommand<AnyActor>, { readonly do: 'ask' }>;
type Judged = AdmittedCommand | Promise<AdmittedCommand>;
type Told = Extract<RowCommand<AnyActor>, { readonly do: 'tell' }>;

export interface CommandDeps {
  readonly registry: Pick<Registry, 'ask' | 'tell' | 'read'>;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** Asks at the panel for what is protected. */
  readonly admission: Pick<Admission, 'admit'>;
  /** Called for each command that was not carried out. */
  readonly refuse: (key: string, refusal: CommandRefused) => void;
  /** Looks at an event before its actor is asked; null if there is nothing to look at. */
  readonly lookFirst?: (event: Asked['event']) => Promise<CommandRefused | null> | null;
  /** Called for each command that its actor took. */
  readonly taken: (key: string) => void;
}

/** Refusals of commands that reached no actor, or that none answered. */
const unanswered: Readonly<Record<'absent' | 'ended' | 'timeout', CommandRefused>> = {
  absent: { reason: 'absent', message: 'This part of the panel is not running now.' },
  ended: { reason: 'ended', message: 'This part of the panel ended before it answered.' },
  timeout: { reason: 'timeout', message: 'This part of the panel did not answer in time.' },
};

/**
 * Carries out commands for entities. An actor that is only told gets each command at once. An actor that answers gets
 * one at a time, and the newest waits behind it; so does one that a person has to admit.
 */
export function commandRunner({
  registry,
  scope,
  admission,
  refuse,
  lookFirst = () => null,
  taken,
}: CommandDeps): (row: Row, value: CommandValue) => void {
  const { guard, signal } = scope;
  const admit = commandAdmission(registry, admission);
  let inFlight: InFlight<GivenCommand> = {};

  const end = (key: string, refusal: CommandRefused | null): void => {
    if (refusal === null) taken(key);
    else refuse(key, refusal);
  };
  const outcomeOf = ({ actor, outcome }: Row): CommandOutcome | null => {
    const snapshot = outcome === undefined ? undefined : registry.read(actor);
    return snapshot === undefined ? null : (outcome?.(snapshot) ?? null);
  };
  const tell = (row: Row, { event }: Told): CommandRefused | null => {
    const before = outcomeOf(row);
    const isThere = registry.tell(row.actor, event) === 'delivered';
    return isThere ? refusalAtOnce(before, outcomeOf(row)) : unanswered.absent;
  };
  const ask = async (row: Row, { event, answered }: Asked): Promise<CommandRefused | null> => {
    const asked = await registry.ask(row.actor, event, waitFor(event));
    return asked.ok ? answered(asked.value) : unanswered[asked.reason];
  };
  /** Why a command was not carried out, null if it was; `isHeld` if it was not admitted. */
  const carryOut = async (
    given: GivenCommand,
    judged: Judged | null,
  ): Promise<{ readonly refusal: CommandRefused | null; readonly isHeld: boolean }> => {
    const { row, command } = given;
    const look = command.do === 'ask' ? lookFirst(command.event) : null;
    const objection = look === null ? null : await look;
    if (objection !== null || signal.aborted) return { refusal: objection, isHeld: false };
    const pending = judged ?? admit(given);
    const admitted = pending instanceof Promise ? await pending : pending;
    if (!admitted.ok || signal.aborted) return { refusal: admitted.ok ? null : admitted.refusal, isHeld: true };
    const refusal = admitted.command.do === 'tell' ? tell(row, admitted.command) : await ask(row, admitted.command);
    return { refusal, isHeld: false };
  };
  /** Carries out a command, and then those that wait behind it. */
  const run = guard(async (first: GivenCommand, judged: Judged | null): Promise<void> => {
    const { key } = first.row;
    for (let given: GivenCommand | null = first; given !== null;) {
      const { refusal, isHeld } = await carryOut(given, given === first ? judged : null);
      if (signal.aborted) return;
      const step = leave(inFlight, key);
      inFlight = step.inFlight;
      given = step.next?.command ?? null;
      // A newer command replaces one that was not admitted, and tells how it ended.
      if (!isHeld || given === null) end(key, refusal);
    }
  });

  return (row, value) => {
    const accepted = rowCommandOf(row, value);
    if (!accepted.ok) return refuse(row.key, accepted);
    const { value: command } = accepted;
    // Whatever this entity still waits for: what only a person turns on goes off at once.
    const off = command.do === 'ask' && command.event.type === 'settings.merge' ? offIn(command.event.patch) : [];
    if (off.length > 0) registry.tell('settings', { type: 'settings.off', keys: off });
    const given = { row, value, command };
    const judged = command.do === 'tell' && inFlight[row.key] === undefined ? admit(given) : null;
    // Most commands end here, without a promise.
    if (command.do === 'tell' && judged !== null && !(judged instanceof Promise))
      return end(row.key, judged.ok ? tell(row, command) : judged.refusal);
    const step = enter(inFlight, row.key, given);
    inFlight = step.inFlight;
    return step.next === null ? undefined : run(step.next.command, judged);
  };
}
