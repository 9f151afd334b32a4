import { withEvent } from './with-event.ts';

/**
 * What a machine remembers that writes to a device one request at a time. The newest request wins: one that comes while
 * a write is under way takes the place of the one that waited.
 */
export interface WriteCycle<TRequest, TWrite = TRequest> {
  /** Raised by one with every write; an answer with another generation is late and ends no write. */
  readonly generation: number;
  /** The newest request that is not being written yet. */
  readonly next: TRequest | null;
  /** The write under way. */
  readonly writing: TWrite | null;
}

/** A cycle in which nothing was written yet. */
export const firstCycle = { generation: 0, next: null, writing: null } as const satisfies WriteCycle<unknown>;

/** What is left of a cycle whose device is gone: the generation stays, so that a late answer is still known. */
export const noWrite = { next: null, writing: null } as const;

/** The cycle once a write begins; what waited is part of it or outdated by it. */
export const begun = <TWrite>(
  { generation }: Pick<WriteCycle<unknown>, 'generation'>,
  writing: TWrite,
): WriteCycle<never, TWrite> => ({ generation: generation + 1, next: null, writing });

/** The guards of a write cycle, for `setup`. */
export const cycleGuards = {
  /** Whether a request waits to be written. */
  hasNext: ({ context }: { readonly context: Pick<WriteCycle<unknown>, 'next'> }): boolean => context.next !== null,
  /** Whether the event answers the newest write, be it under way or given up. */
  isNewest: (
    { context }: { readonly context: Pick<WriteCycle<unknown>, 'generation'> },
    answer: Pick<WriteCycle<unknown>, 'generation'>,
  ): boolean => answer.generation === context.generation,
};

/** A record of two fields whose names are given; the type of a computed name would be lost. */
const pair = <A extends string, X, B extends string, Y>(one: A, first: X, other: B, second: Y) =>
  ({ [one]: first, [other]: second }) as Readonly<Record<A, X> & Record<B, Y>>;

/**
 * The states of a machine that writes one request at a time and waits for each answer no longer than its delay
 * `answerBound`; spread `writeCycle<VolumeEvent>()('mixer.written', 'mixer.refused')` into the state in which the
 * device is there. A request only has to become `next`. The machine brings `cycleGuards`, `maxIterations`, and the
 * actions `begin` (makes a write of `next`), `write` (hands it to the driver), and `settle`, `refuse` and
 * `noteSilence` (end it: `writing` is null afterwards). An answer that comes after its bound still settles the newest
 * write; answers to older ones are left to the state around.
 */
export const writeCycle =
  <E extends { readonly type: string }>() =>
  <TWritten extends E['type'], TRefused extends E['type']>(written: TWritten, refused: TRefused) => {
    const settled = { guard: withEvent('isNewest'), actions: withEvent('settle') } as const;
    const failed = { guard: withEvent('isNewest'), actions: withEvent('refuse') } as const;
    const ended = { target: 'idle' } as const;
    return {
      initial: 'idle',
      states: {
        idle: {
          always: { guard: 'hasNext', target: 'writing' },
          on: pair(written, settled, refused, failed),
        },
        writing: {
          entry: ['begin', 'write'],
          on: pair(written, { ...settled, ...ended }, refused, { ...failed, ...ended }),
          after: { answerBound: { target: 'idle', actions: 'noteSilence' } },
        },
      },
    } as const;
  };
