import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import { toolEnv, type ToolEnv } from './run-tool.ts';

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Path of the first of `names` that is a program, on the PATH or as an absolute path; null if none is. */
export async function findProgram(names: readonly string[], env: ToolEnv): Promise<string | null> {
  const folders = (toolEnv(env).PATH ?? '').split(delimiter).filter(isAbsolute);
  const candidates = names.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))));
  for (const path of candidates) if (await isProgram(path)) return path;
  return null;
}
