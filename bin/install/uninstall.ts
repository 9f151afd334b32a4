import { planRemoval } from '#machines/install/removal.ts';
import { installLock, programFolder } from '#machines/install/texts.ts';
import { removalLines } from '#machines/install/words.ts';
import { runCommand } from '#drivers/install/command.ts';
import { removeAll } from '#drivers/install/remove.ts';
import { triedHere } from '#drivers/install/scan.ts';
import { lockFile } from '#drivers/store/lock.ts';
import type { UninstallOptions } from './arguments.ts';
import { readManifest } from './read-manifest.ts';
import { consent, say, sayWrong } from './terminal.ts';

/** Sentences about the settings of `bin/run`, which no installation added. */
function leftBehind(data: string | null): readonly string[] {
  const tried = triedHere();
  return tried === null || tried.folder === data
    ? []
    : [`What "bin/run" keeps, its settings and sign-in, is in ${tried.folder}; it stays until you delete that folder.`];
}

/** `sconce uninstall`: shows what it will remove, asks, and removes it; returns the exit status. */
export async function uninstall(options: UninstallOptions): Promise<number> {
  const manifest = readManifest();
  if (!manifest.ok) return sayWrong(manifest.message);
  if (manifest.value === null) {
    say('Sconce is not installed here; there is nothing to remove.', ...leftBehind(null));
    return 0;
  }
  const removals = planRemoval(manifest.value, options);
  const packages = options.packages ? 0 : manifest.value.added.filter((entry) => entry.kind === 'package').length;
  say(...removalLines(removals, programFolder, { packages }));
  if (options.dryRun) return 0;
  if (process.getuid?.() !== 0)
    return sayWrong('Removing these needs root. Run it again with sudo. Nothing was changed.');
  const locked = await lockFile(installLock);
  if (!locked.ok)
    return sayWrong(
      locked.reason === 'lock-failed'
        ? `The file ${installLock} cannot be locked. Nothing was changed.`
        : 'Another "sconce install" or "sconce uninstall" is running here. Wait until it has ended and run this again. Nothing was changed.',
    );
  const agreed = options.yes ? true : await consent('Remove these?');
  if (agreed === null)
    return sayWrong('There is no terminal to ask in. Check the list and run it again with --yes. Nothing was changed.');
  if (!agreed) return sayWrong('Nothing was changed.');
  const removed = await removeAll(
    { run: runCommand, folder: programFolder, purge: options.purge },
    manifest.value,
    removals,
  );
  if (!removed.ok) return sayWrong(`${removed.message} The rest is still recorded: run it again to continue.`);
  say('', ...removed.value, 'Sconce is gone from this machine.', ...leftBehind(manifest.value.data));
  return 0;
}
