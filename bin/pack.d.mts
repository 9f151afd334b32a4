/** The part of esbuild's metafile that the scripts are made from. */
export interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}
export function scriptsOf(
  outputs: Readonly<Record<string, Output>>,
  first: Readonly<Record<string, readonly string[]>>,
): readonly { readonly name: string; readonly chunks: readonly string[] }[];
export function makeScripts(
  built: {
    readonly metafile: {
      readonly outputs: Readonly<Record<string, Output & { readonly exports: readonly string[] }>>;
    };
    readonly outputFiles: readonly { readonly path: string; readonly text: string }[];
  },
  entryPoint: string,
  first: Readonly<Record<string, readonly string[]>>,
): Promise<Parameters<typeof writePack>[1]>;
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
