import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteDeps } from '#routes/kit/deps.ts';

/** What the build wrote beside the bundle. */
export interface BuildFacts {
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
}

const here = dirname(fileURLToPath(import.meta.url));

/** Folder of the running bundle, or of the sources if they run directly. */
export const bundleFolder = import.meta.url.endsWith('.ts') ? dirname(here) : here;

/** The clone that the running bundle was built in, or the folder of the installed program. */
export const checkoutFolder = import.meta.url.endsWith('.ts') ? bundleFolder : dirname(bundleFolder);

/** Version and build of the running bundle. */
export function readBuild(): BuildFacts {
  // Written by bin/build.mjs beside the bundle; its shape is ours.
  const facts = JSON.parse(readFileSync(join(here, 'build.json'), 'utf8')) as BuildFacts;
  return { version: facts.version, build: facts.build };
}

/** The assets of the pages, in one file beside the bundle. */
export const assetPack = join(here, 'assets.pack');

/** File of the mDNS responder's program, beside the bundle. */
export const responderProgram = (): string => join(here, 'responder.cjs');
/** The script that lights dark screens, beside the bundle. */
export const relightScript = join(here, 'relight');

/** What each page is sent for its scripts. */
export const readBundles = (file = join(here, 'pages.json')): RouteDeps['bundles'] =>
  // Written by bin/build.mjs beside the bundle; its shape is ours.
  JSON.parse(readFileSync(file, 'utf8')) as RouteDeps['bundles'];

/** How this command is called: in a checkout it is not on the PATH. */
export const commandName = (): string => (existsSync(join(checkoutFolder, 'bin', 'sconce')) ? 'bin/sconce' : 'sconce');
