import { StateMachine, type AnyStateMachine, type AnyStateNode, type AnyTransitionDefinition } from 'xstate';

/** Whether a value exported by a machine's file is a machine. */
export const isMachine = (value: unknown): value is AnyStateMachine => value instanceof StateMachine;

interface Named {
  readonly type?: unknown;
  readonly name?: string;
  readonly check?: unknown;
  readonly guards?: readonly unknown[];
  readonly delay?: unknown;
  readonly params?: unknown;
  readonly event?: unknown;
  readonly reason?: string;
}

/** What XState's name of a child's error begins with; the child's id follows. */
const ERROR = 'xstate.error.actor.';

/** The rules that XState's types do not see: every fault of a machine, one sentence each; none is good. */
export function auditMachine(machine: AnyStateMachine): readonly string[] {
  const faults: string[] = [];
  const { actions, actors, guards, delays } = machine.implementations;
  const known = (names: object, name: unknown): boolean => typeof name === 'string' && Object.hasOwn(names, name);

  const delay = (at: string, name: unknown): void => {
    if (typeof name === 'string' && !/^\d+$/.test(name) && !known(delays, name))
      faults.push(`${at}: unknown delay ${name}`);
  };
  const action = (at: string, one: unknown): void => {
    // A built-in action is a function with a type of XState's own; an object names one of setup().
    const it = one as Named;
    if (typeof one === 'function') {
      if (typeof it.type !== 'string' || !it.type.startsWith('xstate.')) faults.push(`${at}: an action without a name`);
      else delay(at, it.delay);
    } else if (!known(actions, typeof one === 'string' ? one : it.type))
      faults.push(`${at}: unknown action ${String(typeof one === 'string' ? one : it.type)}`);
  };
  const guard = (at: string, one: unknown): void => {
    if (one === undefined) return;
    const it = one as Named;
    if (typeof one === 'function') {
      if (it.check === undefined) faults.push(`${at}: a guard without a name`);
      for (const inner of it.guards ?? []) guard(at, inner);
    } else if (!known(guards, typeof one === 'string' ? one : it.type))
      faults.push(`${at}: unknown guard ${String(typeof one === 'string' ? one : it.type)}`);
  };
  /** What it throws in the walk, and what it must find again. */
  const thrown = new Error('thrown by the audit');
  const holds = (carrier: unknown): boolean =>
    typeof carrier === 'object' && carrier !== null && 'error' in carrier && carrier.error === thrown;
  const call = (expression: unknown, ...inputs: readonly unknown[]): unknown => {
    try {
      return typeof expression === 'function' ? (expression(...inputs) as unknown) : undefined;
    } catch {
      return undefined;
    }
  };
  /** The machine's own output, once the final state that the error led to has said its. */
  const ends = (node: AnyStateNode, event: object): boolean => {
    if (node.type !== 'final' || node.parent !== machine.root) return false;
    const said = call(node.output, { context: {}, event });
    const output = call(machine.root.output, { context: {}, event: { output: said } });
    return holds(output) && 'reason' in (output as object) && !['', 'unknown'].includes((output as Named).reason ?? '');
  };
  const emits = (one: unknown, event: object): boolean => {
    const it = one as Named;
    const made = actions[typeof it.type === 'string' ? it.type : ''] as Named | undefined;
    if (made?.type !== 'xstate.emit') return false;
    const params = call(it.params, { context: {}, event });
    return holds(params) && holds(call(made.event, { context: {}, event }, params));
  };
  /** An error that is dropped here is in no log: the final state's output or an emitted event must carry it. */
  const error = (at: string, type: string, transition: AnyTransitionDefinition): void => {
    const event = { type, actorId: type.slice(ERROR.length), error: thrown };
    const kept =
      (transition.target ?? []).some((node) => ends(node, event)) ||
      transition.actions.some((one) => emits(one, event));
    if (!kept) faults.push(`${at}: ${type} drops its error`);
  };
  const handles = (node: AnyStateNode | undefined, event: string): boolean =>
    node !== undefined && (node.transitions.has(event) || handles(node.parent, event));

  const visit = (node: AnyStateNode): void => {
    const at = node.id;
    for (const name of Object.keys(node.config.after ?? {})) delay(at, name);
    for (const one of node.entry) action(at, one);
    // Entering a state with `after` adds two actions of XState's own to entry and exit.
    for (const one of node.exit)
      if (typeof one !== 'function' || (one as Named).type !== 'xstate.cancel') faults.push(`${at}: an exit action`);
    for (const [event, transitions] of node.transitions) {
      if (event === '*') faults.push(`${at}: a bare '*' hides crashes`);
      if (event === 'xstate.error.actor.*' || event === 'xstate.error.*')
        faults.push(`${at}: ${event} is for supervisors`);
      for (const transition of transitions) {
        for (const one of transition.actions) action(`${at} on ${event}`, one);
        guard(`${at} on ${event}`, transition.guard);
        if (event.startsWith(ERROR)) error(at, event, transition);
      }
    }
    for (const transition of node.always ?? []) {
      for (const one of transition.actions) action(`${at} always`, one);
      guard(`${at} always`, transition.guard);
    }
    if ((node.always ?? []).length > 0 && !Number.isFinite(machine.options.maxIterations))
      faults.push(`${at}: always without maxIterations`);
    for (const { id, src } of node.invoke) {
      if (!known(actors, src)) faults.push(`${at}: unknown actor ${typeof src === 'string' ? src : 'without a name'}`);
      if (!handles(node, `xstate.error.actor.${id}`)) faults.push(`${at}: invoke ${id} without onError`);
    }
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(machine.root);
  return [...new Set(faults)];
}
