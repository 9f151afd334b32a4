/** What is read of a metafile of esbuild: the bytes of each input in what was written. */
export interface Bundled {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}
/** Folders of the packages whose code is in what esbuild wrote. */
export declare const bundledPackages: (metafiles: readonly Bundled[]) => readonly string[];
/** The text to pass on with packages in these folders below `root`; throws where one may not be passed on. */
export declare const noticesOf: (root: string, folders: readonly string[]) => string;
