import { z } from 'zod';

import { once } from '../kit/once.ts';
import { isSameRecipient, type Recipient, storedRecipient } from '../kit/recipient.ts';

/** Most contents that are remembered for one setting; the oldest goes. */
const MOST_OF_SETTING = 8;

const stored = once(() =>
  z.object({
    version: z.literal(1),
    key: z.string().min(1).max(256),
    entries: z
      .array(z.object({ setting: z.string().max(64), digest: z.string().max(128), recipient: storedRecipient() }))
      .max(256),
  }),
);

/**
 * Whom the contents of files were for: it outlives every reset, so that the same content goes to nobody else. It holds
 * digests keyed with its own key, and no secret.
 */
export type RecordedRecipients = Pick<z.infer<ReturnType<typeof stored>>, 'key' | 'entries'>;

/** Reads the file's JSON; null for any other. */
export function readRecorded(json: unknown): RecordedRecipients | null {
  const { data } = stored().safeParse(json);
  return data === undefined ? null : { key: data.key, entries: data.entries };
}

/** The JSON of the file. */
export const recordedJson = ({ key, entries }: RecordedRecipients): z.infer<ReturnType<typeof stored>> => ({
  version: 1,
  key,
  entries,
});

/** Whom the content with that digest was for; null where that is not known. */
export const recordedRecipient = (
  { entries }: Pick<RecordedRecipients, 'entries'>,
  setting: string,
  digest: string,
): Recipient | null => entries.find((entry) => entry.setting === setting && entry.digest === digest)?.recipient ?? null;

/** The record with one content's recipient, the newest last; the same one where nothing changes. */
export function withRecorded(
  record: RecordedRecipients,
  entry: RecordedRecipients['entries'][number],
): RecordedRecipients {
  const known = recordedRecipient(record, entry.setting, entry.digest);
  if (isSameRecipient(known, entry.recipient)) return record;
  const others = record.entries.filter(({ setting, digest }) => setting !== entry.setting || digest !== entry.digest);
  const ofSetting = others.filter(({ setting }) => setting === entry.setting);
  const oldest = ofSetting.length >= MOST_OF_SETTING ? ofSetting[0] : undefined;
  return { ...record, entries: [...others.filter((other) => other !== oldest), entry] };
}
