/** What became of the saves. */
export interface Tally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
}
/** Kills the whole agent that many times while it saves over HTTP. */
export declare const killAgentWhileSaving: (kills: number, onLife?: (tally: Tally) => void) => Promise<Tally>;
