import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type * as JsYaml from 'js-yaml';

/** In a build the library is a separate file (bin/build.mjs), so that a start which reads no YAML does not load it. */
const bundled = './yaml.cjs';

let library: typeof JsYaml | undefined;

/** The YAML library, loaded when the first profile is read (3 ms). */
export function yamlLibrary(): typeof JsYaml {
  const here = dirname(fileURLToPath(import.meta.url));
  // A module loaded at run time has no type.
  library ??= createRequire(import.meta.url)(existsSync(join(here, bundled)) ? bundled : 'js-yaml') as typeof JsYaml;
  return library;
}
