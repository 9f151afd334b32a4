import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './folder.ts';
import { insideRoot, rootEnv } from './process.ts';

const zip = fileURLToPath(new URL('../../../dist/companion/sconce.zip', import.meta.url));

/** Unpacks the ZIP of a build into a configuration folder, as an owner does. */
export function unpackIntegration(folder: string): void {
  const [inside, name] = [folder.slice(root.length), 'sconce.zip'];
  copyFileSync(zip, join(folder, name));
  const unpack = ['/usr/bin/python3', '-m', 'zipfile', '-e', `${inside}/${name}`, inside];
  execFileSync('/usr/bin/env', [...insideRoot(), ...unpack], { env: rootEnv() });
  rmSync(join(folder, name));
}
