/** A line that is too long. */
export interface WideLine {
  readonly line: number;
  readonly columns: number;
}
/** The lines of this code that are too long and could be broken, each with its number and its columns. */
export declare const wideLines: (code: string, lang: 'ts' | 'tsx' | 'js') => readonly WideLine[];
