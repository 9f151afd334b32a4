import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the build wrote beside the bundle. */
export interface BuildFacts {
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
}

const here = dirname(fileURLToPath(import.meta.url));

/** Folder of the running bundle; of the sources where these run as they are. */
export const bundleFolder = import.meta.url.endsWith('.ts') ? dirname(here) : here;

/** Version and build of the running bundle. */
export const readBuild = (): BuildFacts => {
  // Written by bin/build.mjs beside the bundle; its shape is ours.
  const facts = JSON.parse(readFileSync(join(here, 'build.json'), 'utf8')) as BuildFacts;
  return { version: facts.version, build: facts.build };
};

/** File of the mDNS responder's program, beside the bundle. */
export const responderProgram = (): string => join(here, 'responder.cjs');
/** The script that lights dark screens, beside the bundle. */
export const relightScript = join(here, 'relight');

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The assets of the pages, read once so that a rebuild cannot pull them from under a running agent. */
export const readAssets = (): ReadonlyMap<
  string,
  { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }
> => {
  const folder = join(here, 'assets');
  return new Map(
    readdirSync(folder).map((name) => [
      name,
      {
        type: types[extname(name)] ?? 'application/octet-stream',
        body: new Uint8Array(readFileSync(join(folder, name))),
      },
    ]),
  );
};
