import { describe, expect, it } from 'vitest';

import type { Recipient } from '#machines/kit/recipient.ts';
import { readRecorded, recordedJson, recordedRecipient, withRecorded } from '#machines/settings/recorded.ts';

const home = (host: string): Recipient => ({ scheme: 'http', host, port: 8123, name: null });
const entry = (digest: string, recipient = home('a.example'), setting = 'ha_token') => ({ setting, digest, recipient });
const none = { key: 'key', entries: [] };

describe('the record of whom contents of files were for', () => {
  it('knows the recipient of a content by its setting and digest', () => {
    const record = withRecorded(none, entry('1'));
    expect(recordedRecipient(record, 'ha_token', '1')).toEqual(home('a.example'));
    expect(recordedRecipient(record, 'ha_token', '2')).toBeNull();
    expect(recordedRecipient(record, 'mqtt_password', '1')).toBeNull();
  });

  it('stays the same where nothing changes, and has one recipient for a content', () => {
    const record = withRecorded(withRecorded(none, entry('1')), entry('2'));
    expect(withRecorded(record, entry('1'))).toBe(record);
    const moved = withRecorded(record, entry('1', home('b.example')));
    expect(moved.entries).toEqual([entry('2'), entry('1', home('b.example'))]);
  });

  it('remembers eight contents of a setting, and lets the oldest go', () => {
    const digests = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    const other = entry('0', home('a.example'), 'mqtt_password');
    const { entries } = digests.reduce((record, digest) => withRecorded(record, entry(digest)), {
      ...none,
      entries: [other],
    });
    expect(entries.map(({ digest }) => digest)).toEqual(['0', ...digests.slice(1)]);
  });

  it('is read as it was written, and nothing else is', () => {
    const record = withRecorded(none, entry('1'));
    expect(readRecorded(recordedJson(record))).toEqual(record);
    for (const other of [null, {}, { ...recordedJson(record), version: 2 }, { ...recordedJson(record), key: '' }])
      expect(readRecorded(other)).toBeNull();
  });
});
