import { z } from 'zod';

import { once } from '../kit/once.ts';
import { isSameRecipient, type Recipient, storedRecipient } from '../kit/recipient.ts';

/** Most contents remembered per setting; the oldest is dropped. */
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
 * Recipients of the contents of credential files. The record survives every reset, so that the same content never goes
 * to another recipient. It holds keyed digests with its own key, and no secret.
 */
export type RecordedRecipients = Pick<z.infer<ReturnType<typeof stored>>, 'key' | 'entries'>;

/** Reads the file's JSON; null if it is invalid. */
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

/** The recipient of the content with that digest; null if unknown. */
export const recordedRecipient = (
  { entries }: Pick<RecordedRecipients, 'entries'>,
  setting: string,
  digest: string,
): Recipient | null => entries.find((entry) => entry.setting === setting && entry.digest === digest)?.recipient ?? null;

/** The record with one more recipient, the newest last; the same object if nothing changes. */
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
