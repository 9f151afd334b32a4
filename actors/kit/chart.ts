import { StateMachine, type AnyActorLogic, type AnyStateNode } from 'xstate';

import type { ChartEdge, ChartNode } from '#machines/status/inspection.ts';

/** A machine's states as JSON; `cut` is true if it was too large to show whole. */
export interface Chart {
  readonly root: ChartNode | null;
  readonly cut: boolean;
}

/** Most states and transitions of one machine, and the longest name, in characters: ours are far below. */
const MOST = { states: 200, edges: 800, text: 120 };

/** Prefixes of the events that XState makes. */
const MADE: readonly (readonly [string, ChartEdge['kind']])[] = [
  ['xstate.after.', 'after'],
  ['xstate.done.actor.', 'done'],
  ['xstate.done.state.', 'done'],
  ['xstate.error.actor.', 'error'],
];

const short = (text: string): string => (text.length > MOST.text ? `${text.slice(0, MOST.text - 1)}…` : text);

function labelled(event: string, nodeId: string): Pick<ChartEdge, 'kind' | 'label'> {
  const [prefix, kind] = MADE.find(([start]) => event.startsWith(start)) ?? ['', 'event'];
  const rest = event.slice(prefix.length);
  // The name of a delay event ends in the id of its state, which adds nothing here.
  const label = kind === 'after' && rest.endsWith(`.${nodeId}`) ? rest.slice(0, -nodeId.length - 1) : rest;
  return { kind: event === '' ? 'always' : kind, label: short(label) };
}

function guardName(guard: unknown): string | null {
  if (guard === undefined) return null;
  if (typeof guard === 'string') return short(guard);
  if (typeof guard === 'object' && guard !== null && 'type' in guard && typeof guard.type === 'string')
    return short(guard.type);
  // `and`, `or` and `not` are functions that carry their guards.
  const parts: unknown = typeof guard === 'function' && 'guards' in guard ? guard.guards : undefined;
  const names = Array.isArray(parts)
    ? parts.map((part: unknown) => guardName(part) ?? '').filter((name) => name !== '')
    : [];
  return names.length === 0 ? 'a condition' : short(names.join(', '));
}

/** The states and transitions of a machine, bounded; null for logic without states. */
export function chartOf(logic: AnyActorLogic): Chart {
  if (!(logic instanceof StateMachine)) return { root: null, cut: false };
  let states = 0;
  let edges = 0;
  let cut = false;
  const edgesOf = (node: AnyStateNode): ChartEdge[] => {
    const transitions = [...node.transitions].flatMap(([event, list]) =>
      list.map((transition) => [event, transition] as const),
    );
    const all = [...transitions, ...(node.always ?? []).map((transition) => ['', transition] as const)];
    const room = Math.max(0, MOST.edges - edges);
    edges += all.length;
    if (all.length > room) cut = true;
    return all.slice(0, room).map(([event, { target, guard }]) => ({
      ...labelled(event, node.id),
      guard: guardName(guard),
      targets: (target ?? []).map(({ id }) => short(id)),
    }));
  };
  const draw = (node: AnyStateNode, initial: boolean): ChartNode => {
    states += 1;
    const first = new Set((node.initial?.target ?? []).map(({ id }) => id));
    const inside: ChartNode[] = [];
    const own = {
      id: short(node.id),
      name: short(node.key),
      kind: node.type,
      initial,
      runs: node.invoke.map(({ id }) => short(id)),
      edges: edgesOf(node),
    };
    for (const child of Object.values(node.states)) {
      if (states >= MOST.states) cut = true;
      else inside.push(draw(child, first.has(child.id)));
    }
    return { ...own, states: inside };
  };
  // The library types the root of an unknown machine as unknown; every machine has one.
  const root = draw(logic.root as AnyStateNode, false);
  return { root, cut };
}

/** A state value, bounded. Its names are nested; levels deeper than any machine of ours are dropped. */
export function boundedValue(value: unknown, depth = 8): string | Record<string, unknown> | null {
  if (typeof value === 'string') return short(value);
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([key, inner]) => [short(key), boundedValue(inner, depth - 1)]),
  );
}
