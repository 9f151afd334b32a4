/** The fields that are read from an esbuild metafile: the bytes of each input in each output. */
export interface Bundled {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}
/** Folders of the packages whose code is in what esbuild wrote. */
export declare const bundledPackages: (metafiles: readonly Bundled[]) => readonly string[];
/** The notices for the packages in these folders below `root`; throws if one may not be redistributed. */
export declare const noticesOf: (root: string, folders: readonly string[]) => string;
