import { errorCode } from '#drivers/kit/error-code.ts';
import type { BackupEvent, MadeBackup } from '#machines/backup/events.ts';
import { archiveName } from '#machines/backup/name.ts';
import { madeWords, notMadeWords } from '#machines/backup/words.ts';
import type { JobResult } from '#machines/maintenance/events.ts';

import { type JobEnd, type Lane, oneAtATime } from '../kit/one-at-a-time.ts';
import type { Registry } from '../kit/registry.ts';
import { archiveOf } from './archive-of.ts';
import type { BackupDrivers } from './drivers.ts';
import { type PanelFactsDeps, readPanelFacts } from './panel-facts.ts';

export interface MakeDeps extends PanelFactsDeps {
  readonly registry: Pick<Registry, 'ask' | 'read' | 'tell'>;
  readonly drivers: BackupDrivers;
}

type MakeRequest = Extract<BackupEvent, { readonly type: 'backup.make' }>;
/** What the work itself can end with. */
type Made = Exclude<MadeBackup, { readonly status: 'busy' }>;

const failed: JobResult = { status: 'failed' };

function endOf(made: Made): JobEnd {
  if (made.status !== 'made') return { message: notMadeWords(made), result: failed };
  const result: JobResult = made.stateUnavailable
    ? { status: 'partial', panel: { status: 'failed', detail: 'The state of this panel could not be read.' } }
    : { status: 'succeeded' };
  return { message: madeWords(made), result };
}

/** Writes the entries into a container and encrypts it; returns the path of the result. */
async function writeArchive(
  { files, encrypted, writeContainer }: BackupDrivers,
  entries: readonly { readonly name: string; readonly text: string }[],
  passphrase: string | null,
): Promise<string> {
  const plain = files.temporary('zip');
  const target = passphrase === null ? plain : files.temporary('hpb');
  try {
    const encoder = new TextEncoder();
    await writeContainer(
      plain,
      entries.map(({ name, text }) => ({ name, content: encoder.encode(text) })),
    );
    if (passphrase !== null) await encrypted(plain, target, passphrase);
    return target;
  } catch (error) {
    await files.remove(target);
    throw error;
  } finally {
    // It may have every secret of the panel.
    if (target !== plain) await files.remove(plain);
  }
}

async function make(deps: MakeDeps, { passphrase, companion }: MakeRequest, { progress }: Lane): Promise<Made> {
  const { drivers } = deps;
  try {
    progress('Reading what this panel has.');
    const facts = await readPanelFacts(deps);
    const isEncrypted = passphrase !== null;
    const archive = archiveOf(facts, { secrets: isEncrypted, companion: isEncrypted && companion !== false });
    if ('tooLarge' in archive) return { status: 'too-large', part: archive.tooLarge };
    progress('Writing the backup.');
    const path = await writeArchive(drivers, archive.entries, passphrase);
    return {
      status: 'made',
      path,
      name: archiveName(facts.panelId, facts.at, isEncrypted),
      bytes: await drivers.files.sizeOf(path),
      encrypted: isEncrypted,
      stateUnavailable: facts.unreadable.length > 0,
    };
  } catch (error) {
    return { status: 'failed', reason: errorCode(error) };
  }
}

/** Makes a backup, unless another operation runs. */
export async function makeBackup(deps: MakeDeps, request: MakeRequest): Promise<MadeBackup> {
  const { registry, now } = deps;
  const job = { kind: 'backup', holder: 'backup', now } as const;
  const outcome = await oneAtATime(registry, job, async (lane) => {
    const made = await make(deps, request, lane);
    return { value: made, end: endOf(made) };
  });
  return 'done' in outcome ? outcome.done : { status: 'busy', running: outcome.busy };
}
