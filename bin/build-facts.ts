import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asset, RouteDeps } from '#routes/kit/deps.ts';

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
  '.txt': 'text/plain; charset=utf-8',
};

const bytesOf = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file));

/** What each page is sent for its scripts. */
export const readBundles = (file = join(here, 'pages.json')): RouteDeps['bundles'] =>
  // Written by bin/build.mjs beside the bundle; its shape is ours.
  JSON.parse(readFileSync(file, 'utf8')) as RouteDeps['bundles'];

/**
 * The assets of the pages with the shorter forms that the build made of them, read once so that a rebuild cannot pull
 * them from under a running agent.
 */
export const readAssets = (folder = join(here, 'assets')): RouteDeps['assets'] => {
  const files = readdirSync(folder);
  const coded = (file: string): Asset['coded'] => ({
    ...(files.includes(`${file}.br`) ? { br: bytesOf(join(folder, `${file}.br`)) } : {}),
    ...(files.includes(`${file}.gz`) ? { gzip: bytesOf(join(folder, `${file}.gz`)) } : {}),
  });
  return new Map(
    files.flatMap((name) => {
      const type = types[extname(name)];
      return type === undefined ? [] : [[name, { type, body: bytesOf(join(folder, name)), coded: coded(name) }]];
    }),
  );
};
