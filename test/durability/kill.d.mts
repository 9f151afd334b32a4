/** Bundles the writer into `folder`; returns the script's path. */
export declare const bundleWriter: (folder: string) => Promise<string>;
/** The number that the document holds, read as the store reads it, or the one in the named files; -1 for none. */
export declare const numberOnDisk: (data: string, ...names: readonly string[]) => number;
/** What became of the saves. */
export interface Tally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly unreadable: number;
  readonly wounded: number;
}
/** Kills the writer that many times while it saves. */
export declare const killWhileSaving: (kills: number, onLife?: (tally: Tally) => void) => Promise<Tally>;
