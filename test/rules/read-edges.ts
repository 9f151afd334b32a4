import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { build } from 'esbuild';

import type { Edge, ImportKind } from './layer-table.ts';

const source = /\.tsx?$/;

/** The source files under some folders of `root`, relative to it, in order; `except` leaves folders out. */
export const sourceFiles = (
  root: string,
  folders: readonly string[],
  except: readonly string[] = [],
): readonly string[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => source.test(file) && !except.some((folder) => file.startsWith(folder)))
    .toSorted();

/** A specifier as a path of the repository, or the package's name. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return normalize(specifier.slice(1));
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier;
}

/** Source without its comments, so that an example in one is no code. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

const statement = /(?:^|[;\n}])\s*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g;
const call = /(\btypeof\s+)?\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** Every import of a file as it is written: static, for types, re-exported, `import()`. */
export function writtenEdges(root: string, file: string): readonly Edge[] {
  const text = withoutComments(readFileSync(join(root, file), 'utf8'));
  const found = [...text.matchAll(statement), ...text.matchAll(call)];
  return found.map(([, type, specifier]) => ({
    from: file,
    to: resolve(file, specifier ?? ''),
    kind: (type ? 'type' : 'value') satisfies ImportKind,
  }));
}

/** The edges that the bundler really resolved, types gone, from these entries on; packages stay names. */
export async function bundledEdges(
  root: string,
  entries: readonly string[],
): Promise<{ readonly modules: number; readonly edges: readonly Edge[] }> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: join(root, 'never-written'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // A package import of this repository is a path and not a package.
    plugins: [
      {
        name: 'rooms',
        setup: (bundler) => {
          bundler.onResolve({ filter: /^#/ }, ({ path }) => ({ path: join(root, path.slice(1)) }));
        },
      },
    ],
    ...(existsSync(join(root, 'tsconfig.json')) ? { tsconfig: join(root, 'tsconfig.json') } : {}),
    logLevel: 'silent',
  });
  const { inputs } = result.metafile;
  const edges = Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports.map(({ path, external }): Edge => ({
      from: relative('', from),
      to: external === true ? path : relative('', path),
      kind: 'value',
    })),
  );
  return { modules: Object.keys(inputs).length, edges };
}
