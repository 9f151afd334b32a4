import type { Manifest } from '#machines/install/events.ts';
import { programFolder } from '#machines/install/texts.ts';
import type { UnknownReason, UpdateOutcome } from '#machines/updates/events.ts';
import { newestVersion } from '#machines/updates/newest-version.ts';
import { commitAt } from '#machines/updates/running-commit.ts';
import { askMs, askOrigin, type UpdateSource } from '#drivers/updates/ask-origin.ts';
import { readClone } from '#drivers/updates/clone.ts';
import { type Git, systemGit } from '#drivers/updates/git.ts';
import { checkoutFolder } from './build-facts.ts';
import { readManifest } from './install/read-manifest.ts';

type Installed = Pick<Manifest, 'from'> | null;

/** What an installation noted of its clone, as the source of updates. */
function sourceOf(installed: Installed): UpdateSource | UnknownReason {
  const from = installed?.from ?? null;
  if (from === null) return 'no-record';
  if (from.commit === null) return 'no-clone';
  if (from.origin === null) return 'private-origin';
  const origin = { url: from.origin, ref: from.ref };
  return { runsAs: 'installed', commit: from.commit, origin, history: null };
}

/**
 * Where to ask for something newer, for the program in `folder`. A program in a clone that something was installed from
 * asks about what is installed, for it has the rights of the clone's owner. `startedAt` is when the agent started that
 * runs from the clone.
 */
async function findSource(
  git: Git,
  folder: string,
  installed: Installed,
  startedAt: number,
  signal: AbortSignal,
): Promise<UpdateSource | UnknownReason> {
  if (folder.startsWith(`${programFolder}/`)) return sourceOf(installed);
  const clone = await readClone(git, folder, signal);
  if (clone === 'absent') return 'no-git';
  if (clone === null) return signal.aborted ? 'unreachable' : 'no-clone';
  const { from } = installed ?? { from: null };
  const isInstalled = from !== null && from.folder === clone.folder && from.commit !== null;
  return {
    runsAs: isInstalled ? 'installed' : 'by-hand',
    commit: isInstalled ? from.commit : commitAt(clone.log, clone.commit, startedAt),
    origin: clone.origin,
    history: clone,
  };
}

/** What asks, the program's folder, and what is installed; only tests give them. */
interface Asking {
  readonly git?: Git;
  readonly folder?: string;
  readonly installed?: Installed;
  readonly boundMs?: number;
}

function readInstalled(): Installed {
  const manifest = readManifest();
  return manifest.ok ? manifest.value : null;
}

/** Asks whether something newer is where this copy was cloned from; `startedAt` is when its agent started. */
export async function askUpdates(
  startedAt: number,
  signal: AbortSignal,
  { git = systemGit(), folder = checkoutFolder, installed = readInstalled(), boundMs = askMs }: Asking = {},
): Promise<UpdateOutcome> {
  // The clone, too, may lie on a disk that does not answer.
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(boundMs)]);
  const source = await findSource(git, folder, installed, startedAt, bounded);
  return typeof source === 'string'
    ? { status: 'unknown', reason: source }
    : askOrigin({ git, newestVersion }, source, bounded, boundMs);
}
