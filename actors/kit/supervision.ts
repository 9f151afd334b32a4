import { backoffDelay } from '#machines/kit/backoff.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import type { Failure } from './supervision-fact.ts';
import type {
  ChildFacts,
  ChildRule,
  GroupRules,
  Phase,
  QueueEntry,
  SupervisionDecision,
  SupervisionEffect,
  SupervisionEvent,
  SupervisionState,
} from './supervision-state.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };
interface Work {
  readonly rules: GroupRules;
  readonly now: EpochMs;
  readonly state: Draft<Omit<SupervisionState, 'children' | 'queue'>> & {
    children: Draft<ChildFacts>[];
    queue: QueueEntry[];
  };
  readonly effects: SupervisionEffect[];
}

export const initialSupervision = (rules: GroupRules, now: EpochMs): SupervisionState => ({
  status: 'waiting',
  since: now,
  outcome: null,
  children: rules.children.map(({ id }) => ({
    id,
    phase: 'waiting',
    generation: 0,
    round: 0,
    restarts: 0,
    lastReason: null,
    since: now,
  })),
  recent: [],
  queue: [],
  pending: null,
  generation: 0,
  round: 0,
});

const ruleOf = (work: Work, id: string): ChildRule | undefined => work.rules.children.find((rule) => rule.id === id);
function moveTo(work: Work, child: Draft<ChildFacts>, phase: Phase): void {
  child.phase = phase;
  child.since = work.now;
}

function start(work: Work, child: Draft<ChildFacts>, isRestart: boolean): void {
  if (isRestart) child.restarts += 1;
  work.state.generation += 1;
  child.generation = work.state.generation;
  moveTo(work, child, 'running');
  work.effects.push(
    { do: 'start', id: child.id, generation: child.generation },
    { do: 'note', fact: { type: 'started', id: child.id, restarts: isRestart ? child.restarts : 0 } },
  );
}

function remove(work: Work, child: ChildFacts): void {
  work.effects.push({ do: 'remove', id: child.id, generation: child.generation });
}

function turnOff(work: Work, child: Draft<ChildFacts>): void {
  moveTo(work, child, 'off');
  work.effects.push({ do: 'release', id: child.id }, { do: 'note', fact: { type: 'dismissed', id: child.id } });
}

const downPhases = { restart: 'restarting', park: 'parked', stop: 'stopped' } as const;

function settle(work: Work, child: Draft<ChildFacts>, { next, round }: Omit<QueueEntry, 'id'>): void {
  child.round = round;
  if (next === 'off') turnOff(work, child);
  else if (next === 'again') start(work, child, false);
  else moveTo(work, child, downPhases[next]);
}

/**
 * Works through the queue until a child has to be waited for; an empty queue ends the group or schedules what is
 * pending.
 */
function proceed(work: Work): void {
  const { state } = work;
  for (let head = state.queue[0]; head; head = state.queue[0]) {
    const { id } = head;
    const child = state.children.find((one) => one.id === id);
    if (child?.phase === 'stopping') return;
    if (child?.phase === 'running') {
      const withinMs = ruleOf(work, id)?.stopWithinMs ?? null;
      if (withinMs !== null) {
        moveTo(work, child, 'stopping');
        work.effects.push({ do: 'ask-to-stop', id, generation: child.generation, withinMs });
        work.effects.push({
          do: 'schedule',
          delayMs: withinMs,
          event: { type: 'bound-passed', id, generation: child.generation },
        });
        return;
      }
      remove(work, child);
      settle(work, child, head);
    }
    state.queue.shift();
  }
  if (state.status === 'stopping') {
    state.status = 'ended';
    state.since = work.now;
    work.effects.push({ do: 'end' });
  } else if (state.pending) {
    const { round, delayMs } = state.pending;
    work.effects.push({ do: 'schedule', delayMs, event: { type: 'restart-due', round } });
    state.pending = null;
  }
}

/** Stops everything in reverse order and then ends with `outcome`. */
function close(work: Work, outcome: WorkerOutcome): void {
  const { state } = work;
  state.status = 'stopping';
  state.since = work.now;
  state.outcome = outcome;
  state.pending = null;
  const up = (child: ChildFacts): boolean => child.phase === 'running' || child.phase === 'stopping';
  for (const child of state.children) if (!up(child)) moveTo(work, child, 'stopped');
  // A child that is already being stopped stays first.
  state.queue = state.children
    .filter(up)
    .toReversed()
    .map(({ id }) => ({ id, next: 'stop', round: state.round }));
  state.queue.sort((a, b) => Number(phaseOf(state, b.id) === 'stopping') - Number(phaseOf(state, a.id) === 'stopping'));
  proceed(work);
}

const phaseOf = (state: { readonly children: readonly ChildFacts[] }, id: string): Phase | undefined =>
  state.children.find((child) => child.id === id)?.phase;

/** The crashed child and the siblings that go down with it, in start order. */
function affectedBy(work: Work, id: string): Draft<ChildFacts>[] {
  const { children } = work.state;
  const index = children.findIndex((child) => child.id === id);
  if (work.rules.strategy === 'one_for_one') return children.slice(index, index + 1);
  return work.rules.strategy === 'rest_for_one' ? children.slice(index) : children;
}

/** Takes the culprit and its siblings down in a new round; `next` says what happens to those that are not temporary. */
function takeDown(work: Work, culprit: Draft<ChildFacts>, next: 'restart' | 'park'): void {
  const { state } = work;
  state.round += 1;
  const { round } = state;
  const entryOf = (id: string): QueueEntry => ({
    id,
    next: ruleOf(work, id)?.restart === 'temporary' ? 'stop' : next,
    round,
  });
  const affected = affectedBy(work, culprit.id);
  settle(work, culprit, { next, round });
  for (const child of affected) {
    if (child === culprit || child.phase === 'waiting' || child.phase === 'off') continue;
    const temporary = ruleOf(work, child.id)?.restart === 'temporary';
    if (child.phase === 'running' || child.phase === 'stopping') child.lastReason = `stopped-with/${culprit.id}`;
    // A parked child keeps its own retry unless the whole set parks; one that had ended comes back with the others (as
    // in OTP).
    else if (!temporary && (child.phase !== 'parked' || next === 'park')) settle(work, child, { next, round });
  }
  const keeps = (entry: QueueEntry): boolean =>
    entry.next === 'off' || entry.next === 'again' || (next === 'restart' && entry.next === 'park');
  const queued = state.queue.map((entry) => (keeps(entry) ? entry : entryOf(entry.id)));
  const isNew = (child: ChildFacts): boolean => child.phase === 'running' && !queued.some(({ id }) => id === child.id);
  state.queue = [
    ...queued,
    ...affected
      .filter(isNew)
      .toReversed()
      .map(({ id }) => entryOf(id)),
  ];
}

function giveUp(work: Work, culprit: Draft<ChildFacts>, failure: Failure): void {
  const { rules, state, effects } = work;
  if (rules.onGiveUp === 'escalate') {
    effects.push({ do: 'note', fact: { type: 'gave-up', id: culprit.id, ...failure } });
    moveTo(work, culprit, 'stopped');
    close(work, { ended: 'failed', reason: `gave-up/${culprit.id}/${failure.reason}` });
    return;
  }
  effects.push({ do: 'note', fact: { type: 'parked', id: culprit.id, ...failure, retryMs: rules.parkRetryMs } });
  state.recent = rules.strategy === 'one_for_one' ? state.recent.filter(({ id }) => id !== culprit.id) : [];
  takeDown(work, culprit, 'park');
  effects.push({ do: 'schedule', delayMs: rules.parkRetryMs, event: { type: 'retry-due', round: state.round } });
  proceed(work);
}

function recover(work: Work, culprit: Draft<ChildFacts>, failure: Failure, random: number): void {
  const { rules, state, now } = work;
  const within = state.recent.filter(({ at }) => Math.abs(now - at) < rules.intensity.periodMs);
  state.recent = [...within, { id: culprit.id, at: now }];
  // OTP counts per group. A group that parks one child at a time counts per child, so that the crashes of one park no
  // other.
  const perChild = rules.onGiveUp === 'park' && rules.strategy === 'one_for_one';
  const count = perChild ? state.recent.filter(({ id }) => id === culprit.id).length : state.recent.length;
  if (count > rules.intensity.restarts || ruleOf(work, culprit.id)?.hopeless === true) {
    giveUp(work, culprit, failure);
    return;
  }
  const delayMs = backoffDelay(rules.backoff, count, random);
  work.effects.push({ do: 'note', fact: { type: 'restarting', id: culprit.id, reason: failure.reason, delayMs } });
  takeDown(work, culprit, 'restart');
  const { round } = state;
  // A child that restarts alone does not wait for others that are on their way down.
  if (rules.strategy === 'one_for_one')
    work.effects.push({ do: 'schedule', delayMs, event: { type: 'restart-due', round } });
  else state.pending = { round, delayMs };
  proceed(work);
}

function ended(work: Work, event: Extract<SupervisionEvent, { type: 'ended' }>): void {
  const { state } = work;
  const child = state.children.find((one) => one.id === event.id && one.generation === event.generation);
  if (!child || (child.phase !== 'running' && child.phase !== 'stopping')) return;
  const { id, how, reason, error } = event;
  // The error is only reported, not kept: the state, which others see, holds its code alone.
  const failure: Failure = error === undefined ? { reason } : { reason, error };
  remove(work, child);
  work.effects.push({ do: 'note', fact: { type: 'ended', id, how, ...failure } });
  const queued = state.queue.find((entry) => entry.id === id);
  if (queued) {
    if (how === 'failed') child.lastReason = reason;
    settle(work, child, queued);
    state.queue = state.queue.filter((entry) => entry !== queued);
    proceed(work);
    return;
  }
  child.lastReason = reason;
  const restart = ruleOf(work, id)?.restart ?? 'temporary';
  if (restart === 'permanent' || (restart === 'transient' && how === 'failed'))
    recover(work, child, failure, event.random);
  else moveTo(work, child, 'stopped');
}

/**
 * Starts what is due in a round. If order matters and siblings are still going down or coming up, it retries shortly.
 */
function bringBack(work: Work, due: readonly Draft<ChildFacts>[]): void {
  const { state, rules, effects } = work;
  const first = due[0];
  if (!first) return;
  const busy =
    state.queue.length > 0 || state.children.some((child) => child.phase === 'restarting' && !due.includes(child));
  if (rules.strategy !== 'one_for_one' && busy) {
    const type = first.phase === 'parked' ? 'retry-due' : 'restart-due';
    effects.push({ do: 'schedule', delayMs: rules.backoff.firstMs, event: { type, round: first.round } });
    return;
  }
  for (const child of due) start(work, child, child.generation > 0);
}

function revive(work: Work, id: string): void {
  const { state, rules } = work;
  const child = state.children.find((one) => one.id === id);
  if (!child || (child.phase !== 'parked' && child.phase !== 'restarting')) return;
  const { phase, round } = child;
  bringBack(
    work,
    rules.strategy === 'one_for_one'
      ? [child]
      : state.children.filter((one) => one.phase === phase && one.round === round),
  );
}

function adopt(work: Work, id: string): void {
  const { state } = work;
  const child = state.children.find((one) => one.id === id);
  if (child?.phase === 'waiting' || child?.phase === 'off') start(work, child, false);
  // It is still going down.
  else state.queue = state.queue.map((entry) => (entry.id === id && entry.next === 'off' ? againOf(entry) : entry));
}

const againOf = (entry: QueueEntry): QueueEntry => ({ ...entry, next: 'again' });

function dismiss(work: Work, id: string): void {
  const { rules, state } = work;
  const child = state.children.find((one) => one.id === id);
  if (!child || child.phase === 'off') return;
  // When adopted again it counts as new, in groups that count per child.
  if (rules.onGiveUp === 'park') state.recent = state.recent.filter((restart) => restart.id !== id);
  const entry: QueueEntry = { id, next: 'off', round: child.round };
  if (state.queue.some((queued) => queued.id === id))
    state.queue = state.queue.map((queued) => (queued.id === id ? entry : queued));
  else if (child.phase === 'running') {
    state.queue.push(entry);
    proceed(work);
  } else turnOff(work, child);
}

/** The supervisor's whole judgement, after Erlang/OTP: pure, so tables and random sequences can test it. */
export function supervise(
  rules: GroupRules,
  before: SupervisionState,
  event: SupervisionEvent,
  now: EpochMs,
): SupervisionDecision {
  const state = { ...before, children: before.children.map((child) => ({ ...child })), queue: [...before.queue] };
  const work: Work = { rules, now, state, effects: [] };
  if (event.type === 'begin') {
    if (state.status === 'waiting') {
      state.status = 'running';
      state.since = now;
      for (const child of state.children) {
        const held = ruleOf(work, child.id)?.held ?? null;
        if (held === null) start(work, child, false);
        else moveTo(work, child, held);
      }
    }
  } else if (event.type === 'ended') ended(work, event);
  else if (event.type === 'bound-passed') {
    const head = state.queue[0];
    const child = state.children.find((one) => one.id === event.id && one.generation === event.generation);
    if (head && child?.phase === 'stopping' && head.id === child.id) {
      remove(work, child);
      work.effects.push({ do: 'note', fact: { type: 'killed', id: child.id } });
      settle(work, child, head);
      state.queue.shift();
      proceed(work);
    }
  } else if (event.type === 'shutdown') {
    if (state.status === 'running') close(work, { ended: 'stopped' });
  } else if (state.status === 'running') {
    if (event.type === 'revive') revive(work, event.id);
    else if (event.type === 'adopt') adopt(work, event.id);
    else if (event.type === 'dismiss') dismiss(work, event.id);
    else {
      const phase: Phase = event.type === 'restart-due' ? 'restarting' : 'parked';
      bringBack(
        work,
        state.children.filter((child) => child.phase === phase && child.round === event.round),
      );
    }
  }
  return { state, effects: work.effects };
}
