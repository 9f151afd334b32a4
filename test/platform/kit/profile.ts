import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActivationRecord, firstRecord } from '#machines/profile-catalog/activation.ts';

/** Saves a profile in a data folder, and selects it as a stopped agent leaves it that has proved it. */
export function selectProfile(data: string, document: string): void {
  const id = /^id: (.*)$/m.exec(document)?.[1];
  if (id === undefined) throw new Error('a profile needs an id');
  const revision = createHash('sha256').update(document).digest('hex');
  const [folder, mode] = [join(data, 'profiles', id), { mode: 0o600 }];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${revision}.yaml`), document, mode);
  const record: ActivationRecord = {
    ...firstRecord,
    generation: 1,
    selection: { mode: 'pinned', id, revision },
    proven: { id, revision },
  };
  writeFileSync(join(data, 'profiles/activation.json'), JSON.stringify(record), mode);
}
