/** A string as in its file: one text, or one per plural form. */
export type Word = string | Readonly<Record<string, string>>;

/** What a program draws with. */
export interface Used {
  readonly keys: readonly string[];
  /** Those of the keys that it composes from codes. */
  readonly made: readonly string[];
  readonly icons: readonly string[];
}

/** A string or icon that a source names but that does not exist. */
export interface Fault {
  readonly line: number;
  readonly what: string;
}

export declare const readWords: (root: string) => ReadonlyMap<string, Word>;
export declare const readIcons: (root: string) => ReadonlySet<string>;
export declare const usedIn: (program: string, words: ReadonlyMap<string, Word>, icons: ReadonlySet<string>) => Used;
export declare const shortNames: (keys: readonly string[]) => ReadonlyMap<string, string>;
export declare const shortened: (program: string, names: ReadonlyMap<string, string>) => string;
export declare const faultsIn: (
  source: string,
  words: ReadonlyMap<string, Word>,
  icons: ReadonlySet<string>,
) => readonly Fault[];
