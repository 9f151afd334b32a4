import { homedir } from 'node:os';
import { dataFolder } from '#drivers/store/folder.ts';
import { askHolder } from '#drivers/store/lock.ts';
import { readManifest } from './install/read-manifest.ts';

/** The data folder of the panel that a command is for. */
export interface MeantFolder {
  readonly folder: string;
  /** True for that of the installed panel, which needs not be named. */
  readonly isInstalled: boolean;
}

/** The named folder; else the default one if an agent runs there or none is installed; else the installed one's. */
export async function meantFolder(data: string | null): Promise<MeantFolder> {
  const own = dataFolder({ flag: data ?? undefined, env: process.env, home: homedir() });
  const manifest = readManifest();
  const installed = manifest.ok && manifest.value !== null ? manifest.value.data : null;
  const isOwn = data !== null || installed === null || (await askHolder(own)) !== 'free';
  const folder = isOwn ? own : installed;
  return { folder, isInstalled: folder === installed };
}
