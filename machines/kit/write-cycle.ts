import { withEvent } from './with-event.ts';

/**
 * The facts of a machine that writes to a device one request at a time. The newest request wins: one that comes while a
 * write is under way replaces the one that waited.
 */
export interface WriteCycle<TRequest, TWrite = TRequest> {
  /** Incremented with every write; an answer with another generation is late and ends no write. */
  readonly generation: number;
  /** The newest request that is still waiting. */
  readonly next: TRequest | null;
  /** The write under way. */
  readonly writing: TWrite | null;
}

/** A cycle before its first write. */
export const firstCycle = { generation: 0, next: null, writing: null } as const satisfies WriteCycle<unknown>;

/** Resets a cycle whose device is gone: the generation stays, so that a late answer is still recognised. */
export const noWrite = { next: null, writing: null } as const;

/** The cycle when a write begins; the request that waited is part of it or superseded by it. */
export const begun = <TWrite>(
  { generation }: Pick<WriteCycle<unknown>, 'generation'>,
  writing: TWrite,
): WriteCycle<never, TWrite> => ({ generation: generation + 1, next: null, writing });

/** The guards of a write cycle, for `setup`. */
export const cycleGuards = {
  /** True if a request waits to be written. */
  hasNext: ({ context }: { readonly context: Pick<WriteCycle<unknown>, 'next'> }): boolean => context.next !== null,
  /** True if the event answers the newest write, whether under way or given up. */
  isNewest: (
    { context }: { readonly context: Pick<WriteCycle<unknown>, 'generation'> },
    answer: Pick<WriteCycle<unknown>, 'generation'>,
  ): boolean => answer.generation === context.generation,
};

/** A record of two named fields; a computed name would lose its type. */
const pair = <A extends string, X, B extends string, Y>(one: A, first: X, other: B, second: Y) =>
  ({ [one]: first, [other]: second }) as Readonly<Record<A, X> & Record<B, Y>>;

/**
 * The states of a machine that writes one request at a time and waits for each answer at most its delay `answerBound`;
 * spread `writeCycle<VolumeEvent>()('mixer.written', 'mixer.refused')` into the state in which the device is present. A
 * request only has to become `next`. The machine provides `cycleGuards`, `maxIterations`, and the actions `begin`
 * (makes a write of `next`), `write` (hands it to the driver), and `settle`, `refuse` and `noteSilence` (end it:
 * `writing` is null afterwards). An answer that comes after its bound still settles the newest write; answers to older
 * ones are left to the parent state.
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
