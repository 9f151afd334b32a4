import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { recordWire, unknownActors } from './wire/record.ts';

const recorded = new URL('./wire/messages.txt.gz', import.meta.url);

it('has facts for every row', () => {
  expect(unknownActors()).toEqual([]);
});

// Home Assistant keeps what it was told once: a byte that differs is a change for every panel, and never by accident.
it('exchanges with the broker what was recorded, byte for byte', async () => {
  const lines = await recordWire();
  // Writes the record again after a change that is meant: SCONCE_RECORD_WIRE=1.
  if (process.env['SCONCE_RECORD_WIRE'] === '1') writeFileSync(recorded, gzipSync(lines.join('\n'), { level: 9 }));
  expect(lines).toEqual(gunzipSync(readFileSync(recorded)).toString().split('\n'));
});
