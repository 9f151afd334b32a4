import type { ProfileFiles } from '#drivers/profiles/files.ts';
import { activationRecord, type ActivationRecord, firstRecord } from '#machines/profile-catalog/activation.ts';
import type { EpochMs } from '#machines/kit/units.ts';

/** The activation record on the disk, as its one writer uses it. */
export interface ActivationFile {
  /** The record in force: read once, then as last written. */
  readonly inForce: () => ActivationRecord;
  /**
   * Makes another record durable and puts it in force; null on success, else a stable code, and the old one stays in
   * force.
   */
  readonly write: (next: ActivationRecord) => Promise<string | null>;
}

/** The record in the catalogue's folder. */
export function activationFile(
  files: Pick<ProfileFiles, 'readRecord' | 'writeRecord'>,
  now: () => EpochMs,
): ActivationFile {
  let record: ActivationRecord | null = null;
  const read = (): ActivationRecord => {
    const found = files.readRecord();
    const parsed = found.state === 'read' ? activationRecord().safeParse(found.value) : null;
    // A damaged record gets a number from the clock, so that it does not match what a page saw before.
    return parsed?.data ?? { ...firstRecord, generation: found.state === 'absent' ? 0 : Math.floor(now() / 1000) };
  };
  return {
    inForce: () => (record ??= read()),
    write: async (next) => {
      const trouble = await files.writeRecord(next);
      if (trouble === null) record = next;
      return trouble;
    },
  };
}
