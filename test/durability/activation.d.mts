/** What became of the activations. */
export interface Tally {
  readonly kills: number;
  /** Lives that came back on the revision that was in force before. */
  readonly old: number;
  /** Lives that came back on the selected one. */
  readonly fresh: number;
  /** Lives that came back on neither, or with something to complain about. */
  readonly elsewhere: number;
  /** Of the old ones, those whose trial was taken back. */
  readonly taken: number;
}
/** Kills the whole agent at that many random moments of an activation. */
export declare const killActivations: (kills: number, onLife?: (tally: Tally) => void) => Promise<Tally>;
