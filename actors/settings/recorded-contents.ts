import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import type { RecordedFile } from '#drivers/store/recorded-file.ts';
import type { Assignments, Recipient } from '#machines/kit/recipient.ts';
import type { Configuration } from '#machines/settings/merge.ts';
import type { GivenMarks } from '#machines/settings/provision.ts';
import {
  readRecorded,
  recordedJson,
  type RecordedRecipients,
  recordedRecipient,
  withRecorded,
} from '#machines/settings/recorded.ts';

/** Remembers whom the contents of credential files were for; no reset forgets it. */
export interface RecordedContents {
  /** Whom that content of a setting was for; null if unknown. */
  readonly recipientOf: (setting: string, content: string) => Recipient | null;
  /**
   * Records durably the recipients of the credentials that came from a file, or whose content once did; null on
   * success, else the code of the disk's refusal.
   */
  readonly keep: (
    secrets: Configuration['secrets'],
    assignments: Assignments,
    given: GivenMarks | null,
  ) => string | null;
}

/** Records them in that file; if it is null, only for as long as this agent runs. */
export function recordedContents(file: RecordedFile | null): RecordedContents {
  let record: RecordedRecipients = readRecorded(file?.read() ?? null) ?? { key: freshKey(), entries: [] };
  return {
    recipientOf: (setting, content) => recordedRecipient(record, setting, keyedDigest(record.key, setting, content)),
    keep: (secrets, assignments, given) => {
      let next = record;
      for (const [setting, { recipient }] of assignments) {
        const content = secrets[setting];
        if (recipient === null || content === undefined) continue;
        const digest = keyedDigest(record.key, setting, content);
        const isGiven = given !== null && given.marks[setting] === keyedDigest(given.key, setting, content);
        // The file may come back: a save of the same content for another recipient is the owner's newer decision.
        if (isGiven || recordedRecipient(record, setting, digest) !== null)
          next = withRecorded(next, { setting, digest, recipient });
      }
      if (next === record) return null;
      const failure = file?.write(recordedJson(next)) ?? null;
      if (failure === null) record = next;
      return failure;
    },
  };
}
