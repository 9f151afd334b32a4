/** The part of esbuild's metafile that the scripts are made from. */
export interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}
export function scriptsOf(
  outputs: Readonly<Record<string, Output>>,
  first: Readonly<Record<string, readonly string[]>>,
): readonly { readonly name: string; readonly chunks: readonly string[] }[];
export function writePack(
  file: string,
  packed: {
    readonly entry: string;
    readonly scripts: readonly {
      readonly name: string;
      readonly chunks: readonly string[];
      readonly text: Uint8Array;
    }[];
  },
  codeFolders?: readonly string[],
): void;
