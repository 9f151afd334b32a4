import { setup } from 'xstate';
import { z } from 'zod';

import { part } from '#actors/kit/part.ts';
import { capabilitiesOf } from '#machines/kit/capability.ts';
import { rowsOf } from '#machines/kit/entity.ts';
import { historyOf } from '#machines/kit/history-event.ts';
import { working } from '#machines/kit/verdict.ts';
import { statusSection, subsystem, textLines } from '#machines/subsystem.ts';

/** A bell: it counts, can be rung, answers when asked, and says when it rang. */
interface BellActor {
  readonly id: 'bell';
  readonly context: { readonly rings: number };
  readonly event:
    | { readonly type: 'bell.ring' }
    | { readonly type: 'bell.count'; readonly requestId: string }
    | { readonly type: 'bell.stop' };
  readonly asks: { readonly 'bell.count': number };
  readonly emitted: { readonly type: 'bell.rang'; readonly at: number };
}

type Done = { readonly ok: true };
type Weighed = { readonly ok: true; readonly grams: number };
interface BellActorBase {
  readonly id: 'bell';
  readonly context: { readonly rings: number };
  readonly event:
    | { readonly type: 'bell.count'; readonly requestId: string }
    | { readonly type: 'bell.weigh'; readonly requestId: string };
}

type Events = BellActor['event'] | { readonly type: 'hammer.moved' };
type Reply<T> = { readonly type: 'reply'; readonly requestId: string; readonly outcome: T };
type Rang = BellActor['emitted'];

const bell = subsystem<BellActor>()({ ids: ['bell'], group: 'panel' });
const machine = <C extends { readonly rings: number }, E extends { readonly type: string }, M extends { readonly type: string }>(
  context: C,
) => setup({ types: { context: {} as C, events: {} as E, emitted: {} as M } }).createMachine({ context });

// Further facts and events of its own are nobody's business.
export const fits = part(bell, machine<{ rings: number; hammer: string }, Events, Rang | Reply<number>>({ rings: 0, hammer: 'up' }));
export const stopped = part(bell, machine<{ rings: number }, Events, Rang | Reply<number>>({ rings: 0 }), {
  stop: { event: { type: 'bell.stop' }, withinMs: 5 },
});

const poor = setup({ types: { context: {} as { rung: boolean }, events: {} as Events, emitted: {} as Rang | Reply<number> } });
export const otherFacts = part(bell, poor.createMachine({ context: { rung: false } })); // refused: facts of another shape
const deaf = machine<{ rings: number }, { readonly type: 'bell.stop' }, Rang | Reply<number>>({ rings: 0 });
export const otherEvents = part(bell, deaf); // refused: it takes no bell.ring
const silent = machine<{ rings: number }, Events, Reply<number>>({ rings: 0 });
export const saysNothing = part(bell, silent); // refused: it never says bell.rang
const chatty = machine<{ rings: number }, Events, Rang | Reply<number> | { readonly type: 'bell.broke' }>({ rings: 0 });
export const saysMore = part(bell, chatty); // refused: bell.broke is in no interface
const vague = machine<{ rings: number }, Events, Rang | Reply<string>>({ rings: 0 });
export const otherAnswer = part(bell, vague); // refused: the answer is a number
const mute = machine<{ rings: number }, Events, Rang>({ rings: 0 });
export const noAnswer = part(bell, mute); // refused: it never answers
const sound = machine<{ rings: number }, Events, Rang | Reply<number>>({ rings: 0 });
// An answer of which the interface's is only a special case, and one that does not say whose it is.
interface DoubtActor extends BellActorBase {
  readonly asks: { readonly 'bell.count': Done; readonly 'bell.weigh': Weighed };
}
const doubt = subsystem<DoubtActor>()({ ids: ['bell'], group: 'panel' });
const half = machine<{ rings: number }, DoubtActor['event'], Reply<Done>>({ rings: 0 });
export const halfAnswered = part(doubt, half); // refused: bell.weigh is never answered
const whole = machine<{ rings: number }, DoubtActor['event'], Reply<Done | Weighed>>({ rings: 0 });
export const allAnswered = part(doubt, whole);
const nobodys = machine<{ rings: number }, Events, Rang | { readonly type: 'reply'; readonly outcome: number }>({ rings: 0 });
export const toNobody = part(bell, nobodys); // refused: an answer without its request

const fed = setup({
  types: { context: {} as { rings: number }, events: {} as Events, emitted: {} as Rang | Reply<number>, input: {} as { from: number } },
}).createMachine({ context: ({ input }) => ({ rings: input.from }) });
export const started = part(bell, fed, { input: () => ({ from: 3 }) });
export const unfed = part(bell, fed); // refused: it needs an input
export const wronglyFed = part(bell, fed, { input: () => ({ from: 'three' }) }); // refused: an input of another shape

export const otherStop = part(bell, sound, { stop: { event: { type: 'bell.end' }, withinMs: 5 } }); // refused: no such event
const attic = subsystem<BellActor>()({ ids: ['bell'], group: 'attic' });
export const inAttic = part(attic, sound); // refused: no manifest declares that group
export const otherId = part(bell, sound, { id: 'gong' }); // refused: no such id

subsystem<BellActor>()({ ids: ['gong'], group: 'panel' }); // refused: an id that the interface does not have
subsystem<BellActor>()({ ids: ['bell'], group: 'panel', histroy: [] }); // refused: no manifest has such a field
subsystem<BellActor>()({ ids: ['bell'], group: 'panel', probe: { type: 'bell.look' } }); // refused: no such event

const row = { entityKind: 'sensor', key: 'rings', name: 'Rings', available: () => true } as const;
rowsOf<BellActor>([{ ...row, actor: 'bell', read: ({ context }) => context.rings }]);
rowsOf<BellActor>([{ ...row, actor: 'gong', read: ({ context }) => context.rings }]); // refused: another actor
rowsOf<BellActor>([{ ...row, actor: 'bell', read: ({ context }) => context.volume }]); // refused: no such fact
capabilitiesOf<BellActor>([{ id: 'bell', title: 'Bell', actor: 'bell', after: null, judge: ({ context }) => working('rung', context.volume) }]); // refused: no such fact

historyOf<BellActor>()({ actor: 'bell', kind: 'bell', codes: ['rang'], selector: ({ rings }) => rings, historyEvents: (_, _after, now, happened) => happened(now, 'rang') });
historyOf<BellActor>()({ actor: 'bell', kind: 'bell', codes: ['rang'], selector: ({ rings }) => rings, historyEvents: (_, _after, now, happened) => happened(now, 'stolen') }); // refused: a code without a sentence

textLines({ key: 'bell', after: null, reads: ['screen'], lines: ({ read }) => [String(read('screen')?.lit)] });
textLines({ key: 'bell', after: null, reads: ['screen'], lines: ({ read }) => [String(read('volume')?.percent)] }); // refused: reads what it does not list
textLines({ key: 'bell', after: null, reads: ['screen'], lines: ({ now }) => [String(now)] }); // refused: depends on the time and does not say so
textLines({ key: 'bell', after: null, reads: ['bell'], lines: () => [] }); // refused: no such actor
const bellSection = { reads: [], shape: () => ({ rings: z.number() }), example: { rings: 1 } } as const;
statusSection({ ...bellSection, view: () => ({ rings: 1 }) });
statusSection({ ...bellSection, view: () => ({ rings: 'one' }) }); // refused: not what the schema says
statusSection({ ...bellSection, uses: ['now'], view: ({ now }) => ({ rings: now }) });
statusSection({ ...bellSection, view: ({ now }) => ({ rings: now }) }); // refused: depends on the time and does not say so
statusSection({ ...bellSection, uses: ['moon'], view: () => ({ rings: 1 }) }); // refused: nothing that a projection is given
statusSection({ ...bellSection, view: () => ({}) }); // refused: a field is missing
