import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { sha256 } from './files.ts';

export interface ProgramSource {
  /** Folder of the bundle. */
  readonly dist: string;
  /** Folder of the packages, of which only native ones are copied. */
  readonly modules: string;
  /** Node.js to copy as well; null if the system's runs the program. */
  readonly node: string | null;
}

/** Packages with native code, which cannot be bundled (bin/build.mjs, `external`). */
function nativePackages(modules: string): readonly string[] {
  const built = join(modules, '@koromix');
  const names = existsSync(built) ? readdirSync(built).filter((name) => name.startsWith('koffi-')) : [];
  return [...(existsSync(join(modules, 'koffi')) ? ['koffi'] : []), ...names.map((name) => `@koromix/${name}`)];
}

/** True for files of a native package that are needed to run it, unlike sources and build files. */
const runs = (path: string): boolean =>
  !/(?:^|\/)(?:doc|vendor|lib|cnoke\.cjs|CMakeLists\.txt|.*\.(?:md|cc|hh|h|S|asm|inc|def|d\.ts))$/.test(path);

const filesIn = (folder: string, under = folder): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path, under) : [relative(under, path)];
    })
    .toSorted();

/** A short digest of all files of a folder and their content. */
const digestOf = (folder: string): string =>
  sha256(
    filesIn(folder)
      .map((file) => `${file} ${sha256(readFileSync(join(folder, file)))}\n`)
      .join(''),
  ).slice(0, 12);

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function build(source: ProgramSource, into: string): void {
  mkdirSync(into, { recursive: true, mode: 0o755 });
  cpSync(source.dist, join(into, 'dist'), { recursive: true, filter: (file) => !file.endsWith('/meta.json') });
  if (source.node !== null) copyFileSync(source.node, join(into, 'node'));
  for (const name of nativePackages(source.modules)) {
    const from = join(source.modules, name);
    cpSync(from, join(into, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (path) => runs(relative(from, path)),
    });
  }
  openToAll(into);
}

function linkTarget(folder: string): string | null {
  try {
    return readlinkSync(join(folder, 'program'));
  } catch {
    return null;
  }
}

/** True if the installed program is whole and the same as the one to copy. */
export function isProgramCurrent(source: ProgramSource, folder: string, scratch: string): boolean {
  const target = linkTarget(folder);
  if (target === null || !existsSync(join(folder, target))) return false;
  const named = target.replace('program-', '');
  if (digestOf(join(folder, target)) !== named) return false;
  // Run from the installed program itself, there is nothing newer to compare with.
  if (source.dist.startsWith(`${folder}/`)) return true;
  try {
    build(source, scratch);
    return digestOf(scratch) === named;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Copies the program beside the running one, switches over by one rename, and removes older or interrupted copies. */
export function copyProgram(source: ProgramSource, folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const fresh = join(folder, 'program.new');
  rmSync(fresh, { recursive: true, force: true });
  build(source, fresh);
  const name = `program-${digestOf(fresh)}`;
  const there = join(folder, name);
  if (existsSync(there) && digestOf(there) === name.replace('program-', '')) rmSync(fresh, { recursive: true });
  else {
    rmSync(there, { recursive: true, force: true });
    renameSync(fresh, there);
  }
  const link = join(folder, 'link.new');
  rmSync(link, { force: true });
  symlinkSync(name, link);
  renameSync(link, join(folder, 'program'));
  for (const old of readdirSync(folder)) {
    if (/^program[-.]/.test(old) && old !== name && lstatSync(join(folder, old)).isDirectory())
      rmSync(join(folder, old), { recursive: true, force: true });
  }
}
