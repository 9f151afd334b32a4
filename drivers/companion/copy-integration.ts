import { randomBytes } from 'node:crypto';
import { access, chown, cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';

/** How copying the integration into Home Assistant's configuration folder ended. */
export type Copied =
  /** `before` is the version that was replaced; null for a first installation. */
  | { readonly ok: true; readonly version: string; readonly before: string | null }
  /** `not-configuration`: the folder is none of Home Assistant; `foreign`: what has this name there is not ours. */
  | { readonly ok: false; readonly reason: 'not-configuration' | 'foreign' | 'not-built' }
  /** The code of the error; nothing was changed. */
  | { readonly ok: false; readonly reason: 'disk'; readonly code: string };

const DOMAIN = 'sconce';
/** Home Assistant writes both into every configuration folder. */
const MARKS = ['configuration.yaml', '.HA_VERSION'] as const;
const BOUNDS = { depth: 4, tokens: 400 } as const;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Domain and version in the manifest of an integration; null without one that can be read. */
async function manifestIn(folder: string): Promise<{ readonly domain: unknown; readonly version: unknown } | null> {
  try {
    const { domain, version } = fieldsOf(foreignValue(await readFile(join(folder, 'manifest.json'), 'utf8'), BOUNDS));
    return { domain, version };
  } catch {
    return null;
  }
}

const versionOf = (manifest: { readonly version: unknown }): string =>
  typeof manifest.version === 'string' ? manifest.version.slice(0, 40) : 'unknown';

/** Gives a tree to the owner of the configuration folder: root copies it for Home Assistant's user. */
async function giveTo(path: string, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  await chown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), uid, gid);
}

/** Removes what an interrupted copy has left; the old integration goes back where it was. */
async function tidy(configuration: string, target: string): Promise<void> {
  for (const name of await readdir(configuration)) {
    const left = /^\.sconce-(new|old)-[0-9a-f]{8}$/.exec(name);
    if (left === null) continue;
    if (left[1] === 'old' && !(await exists(target))) await rename(join(configuration, name), target);
    else await rm(join(configuration, name), { recursive: true, force: true });
  }
}

/**
 * Copies the integration from a build into Home Assistant's configuration folder. The old one is replaced by renames,
 * so that Home Assistant never finds half of it; what an interrupted copy left is tidied up first.
 */
export async function copyIntegration(built: string, configuration: string): Promise<Copied> {
  const source = join(built, 'custom_components', DOMAIN);
  const own = await manifestIn(source);
  if (own === null) return { ok: false, reason: 'not-built' };
  const marks = await Promise.all(MARKS.map((name) => exists(join(configuration, name))));
  if (marks.includes(false)) return { ok: false, reason: 'not-configuration' };
  const target = join(configuration, 'custom_components', DOMAIN);
  const token = randomBytes(4).toString('hex');
  const [next, old] = [join(configuration, `.sconce-new-${token}`), join(configuration, `.sconce-old-${token}`)];
  try {
    await tidy(configuration, target);
    const there = await lstat(target).catch(() => null);
    const before = there === null ? null : await manifestIn(target);
    if (there !== null && (!there.isDirectory() || before?.domain !== DOMAIN)) return { ok: false, reason: 'foreign' };
    const owner = await stat(configuration);
    await cp(source, next, { recursive: true });
    if (process.getuid?.() === 0) await giveTo(next, owner);
    if (!(await exists(dirname(target)))) {
      await mkdir(dirname(target));
      if (process.getuid?.() === 0) await chown(dirname(target), owner.uid, owner.gid);
    }
    if (there !== null) await rename(target, old);
    try {
      await rename(next, target);
    } catch (error) {
      if (there !== null) await rename(old, target);
      throw error;
    }
    await syncFolder(dirname(target));
    await rm(old, { recursive: true, force: true });
    return { ok: true, version: versionOf(own), before: before === null ? null : versionOf(before) };
  } catch (error) {
    return { ok: false, reason: 'disk', code: errorCode(error) };
  } finally {
    await rm(next, { recursive: true, force: true }).catch(() => {});
  }
}
