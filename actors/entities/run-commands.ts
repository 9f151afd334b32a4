import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { After } from '#drivers/kit/rounds.ts';
import type { AnyActor } from '#machines/actors.ts';
import { type CommandValue, objectionOf, rowCommandOf } from '#machines/entities/command.ts';
import { enter, type InFlight, leave } from '#machines/entities/in-flight.ts';
import { refusalAtOnce, stopping, superseded, unanswered } from '#machines/entities/outcome.ts';
import type { CommandOutcome, CommandRefused, EntityRow, RowCommand } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { offIn } from '#machines/settings/off-in.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import type { Admission } from '../kit/admission.ts';
import type { Registry } from '../kit/registry.ts';
import {
  type AdmittedCommand,
  admitOnceApproved,
  commandAdmission,
  type CommandSource,
  type GivenCommand,
} from './admit-command.ts';
import { type CommandEnded, createEndWaiter } from './await-end.ts';

export type { CommandSource } from './admit-command.ts';

/** Longest wait for an actor that is asked to carry out a command, and for the end of one that it took. */
const ANSWER_MS: Milliseconds = 8000;
const waitFor = (event: Asked['event']): Milliseconds => (event.type === 'settings.merge' ? SAVE_MS : ANSWER_MS);

type Row = EntityRow<AnyActor>;
type Asked = Extract<RowCommand<AnyActor>, { readonly do: 'ask' }>;
type Judged = AdmittedCommand | Promise<AdmittedCommand>;
type Told = Extract<RowCommand<AnyActor>, { readonly do: 'tell' }>;

/** A command and who waits for its end. */
interface Running extends GivenCommand {
  readonly ended: CommandEnded | null;
}

/** How far a command came: a refusal, or the facts of its actor from just before it took the command. */
interface Passed {
  readonly refusal: CommandRefused | null;
  readonly before?: SnapshotView | undefined;
  /** True if it was not admitted. */
  readonly isHeld?: boolean;
}

/**
 * Carries out a command that fits the row's shape (`acceptCommand`). `ended` is called exactly once, when it is known
 * how the command ended, within 8 s after its actor took it; a command with it is refused at once for what its actor
 * could not do. The source is who commands, where that differs between commands.
 */
export type RunCommand = (row: Row, value: CommandValue, ended?: CommandEnded, source?: CommandSource) => void;

export interface CommandDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read' | 'tell'>;
  readonly scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;
  /** Asks at the panel for what is protected. */
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  /** Who commands. */
  readonly source: CommandSource;
  /** Called for each command that was not carried out. */
  readonly refuse: (key: string, refusal: CommandRefused) => void;
  /** Looks at an event before its actor is asked; null if there is nothing to look at. */
  readonly lookFirst?: (event: Asked['event']) => Promise<CommandRefused | null> | null;
  /** Called for each command that its actor took. */
  readonly taken: (key: string) => void;
  readonly after?: After;
}

/** True if the command may be carried out later: a person is asked for it, and its caller waits for its end. */
const waitsForPerson = ({ ended }: Running, admitted: AdmittedCommand): boolean =>
  ended !== null && !admitted.ok && admitted.awaits !== undefined;

/** Calls back once at most, and remembers those that were not called yet. */
function onceEach(): {
  readonly once: (ended: CommandEnded) => CommandEnded;
  readonly callAll: (refusal: CommandRefused) => void;
} {
  const open = new Set<CommandEnded>();
  return {
    once: (ended) => {
      const call: CommandEnded = (refusal) => {
        if (open.delete(call)) ended(refusal);
      };
      open.add(call);
      return call;
    },
    callAll: (refusal) => {
      for (const call of open) call(refusal);
    },
  };
}

/**
 * Carries out commands for entities. An actor that is only told gets each command at once. An actor that answers gets
 * one at a time, and the newest waits behind it; so does one that a person has to admit.
 */
export function commandRunner({
  registry,
  scope,
  admission,
  source: usual,
  refuse,
  lookFirst = () => null,
  taken,
  after,
}: CommandDeps): RunCommand {
  const { guard, signal } = scope;
  const admit = commandAdmission(registry, admission);
  const onceApproved = admitOnceApproved({ registry, admission, admit });
  const waiter = createEndWaiter({ registry, boundMs: ANSWER_MS, guard, ...(after !== undefined && { after }) });
  const callers = onceEach();
  let inFlight: InFlight<Running> = {};
  /** Ends the wait for a person, of the command under way of each entity that waits for one. */
  const awaited = new Map<string, AbortController>();
  signal.addEventListener('abort', () => {
    waiter.stop(stopping);
    callers.callAll(stopping);
    for (const wait of awaited.values()) wait.abort();
  });

  const end = ({ row, source, command, ended }: Running, { refusal, before }: Passed): void => {
    if (refusal === null) taken(row.key);
    else refuse(row.key, refusal);
    if (ended === null) return;
    if (refusal !== null || command.do === 'ask') ended(refusal);
    else waiter.await({ row, origin: source.origin, before, ended });
  };
  const outcomeIn = ({ outcome }: Row, snapshot: SnapshotView | undefined): CommandOutcome | null =>
    snapshot === undefined ? null : (outcome?.(snapshot) ?? null);
  const tell = ({ row, ended }: Running, { event }: Told): Passed => {
    const needsFacts = row.outcome !== undefined || ended !== null;
    const before = needsFacts ? registry.read(row.actor) : undefined;
    if (registry.tell(row.actor, event) !== 'delivered') return { refusal: unanswered.absent };
    if (row.outcome === undefined) return { refusal: null, before };
    return { refusal: refusalAtOnce(outcomeIn(row, before), outcomeIn(row, registry.read(row.actor))), before };
  };
  const ask = async (row: Row, { event, answered }: Asked): Promise<Passed> => {
    const asked = await registry.ask(row.actor, event, waitFor(event));
    return { refusal: asked.ok ? answered(asked.value) : unanswered[asked.reason] };
  };
  /** The admission of a command whose caller waits for its end: it waits for a person too, but for no newer command. */
  const approved = async (given: Running, first: AdmittedCommand): Promise<AdmittedCommand> => {
    const { key } = given.row;
    if ((inFlight[key]?.waiting ?? null) !== null) return first;
    const wait = new AbortController();
    awaited.set(key, wait);
    const admitted = await onceApproved(given, first, wait.signal);
    awaited.delete(key);
    return admitted;
  };
  const carryOut = async (given: Running, judged: Judged | null): Promise<Passed> => {
    const { row, command } = given;
    const look = command.do === 'ask' ? lookFirst(command.event) : null;
    const objection = look === null ? null : await look;
    if (objection !== null || signal.aborted) return { refusal: objection };
    const pending = judged ?? admit(given);
    const first = pending instanceof Promise ? await pending : pending;
    const admitted = waitsForPerson(given, first) && !signal.aborted ? await approved(given, first) : first;
    if (!admitted.ok || signal.aborted) return { refusal: admitted.ok ? null : admitted.refusal, isHeld: true };
    if (admitted.command === null) return { refusal: null };
    return admitted.command.do === 'tell' ? tell(given, admitted.command) : ask(row, admitted.command);
  };
  /** Carries out a command, and then those that wait behind it. */
  const run = guard(async (first: Running, judged: Judged | null): Promise<void> => {
    const { key } = first.row;
    for (let given: Running | null = first; given !== null;) {
      const passed: Passed = await carryOut(given, given === first ? judged : null);
      if (signal.aborted) return;
      const step = leave(inFlight, key);
      inFlight = step.inFlight;
      const next = step.next?.command ?? null;
      // A newer command replaces one that was not admitted, and tells how it ended.
      if (passed.isHeld === true && next !== null) given.ended?.(passed.refusal);
      else end(given, passed);
      given = next;
    }
  });
  const objectionNow = (row: Row, value: CommandValue): CommandRefused | null => {
    const snapshot = registry.read(row.actor);
    return snapshot === undefined ? null : objectionOf(row, value, snapshot);
  };

  return (row, value, caller, source = usual) => {
    const ended = caller === undefined ? null : callers.once(caller);
    const accepted = rowCommandOf(row, value, source.origin);
    const refused = accepted.ok ? (ended === null ? null : objectionNow(row, value)) : accepted;
    if (refused !== null || !accepted.ok) {
      const { reason, message } = refused ?? unanswered.absent;
      refuse(row.key, { reason, message });
      ended?.({ reason, message });
      return;
    }
    const { value: command } = accepted;
    // Whatever this entity still waits for: what only a person turns on goes off at once.
    const off = command.do === 'ask' && command.event.type === 'settings.merge' ? offIn(command.event.patch) : [];
    if (off.length > 0) registry.tell('settings', { type: 'settings.off', keys: off });
    const given: Running = { source, row, value, command, ended };
    const judged = command.do === 'tell' && inFlight[row.key] === undefined ? admit(given) : null;
    // Most commands end here, without a promise.
    if (command.do === 'tell' && judged !== null && !(judged instanceof Promise) && !waitsForPerson(given, judged)) {
      end(given, judged.ok ? tell(given, command) : { refusal: judged.refusal });
      return;
    }
    inFlight[row.key]?.waiting?.command.ended?.(superseded);
    const step = enter(inFlight, row.key, given);
    inFlight = step.inFlight;
    if (step.next === null) awaited.get(row.key)?.abort();
    else run(step.next.command, judged);
  };
}
