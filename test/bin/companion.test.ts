import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseCommand } from '#bin/arguments.ts';
import { answerCompanion, pairedLines } from '#bin/companion.ts';
import type { CompanionTask } from '#bin/companion-arguments.ts';
import { companionExample } from '#machines/companion/document.ts';

describe('the words of the command line', () => {
  it.each<[string, CompanionTask]>([
    ['companion', { do: 'show' }],
    ['companion pair', { do: 'pair' }],
    ['companion --data /tmp/x revoke 00ff', { do: 'revoke', prefix: '00ff' }],
    ['companion install /config', { do: 'install', folder: '/config' }],
  ])('%s', (line, task) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ ok: true, value: { verb: 'companion', options: { task } } });
  });

  it.each([
    ['companion revok', /did you mean revoke/i],
    ['companion pair now', /nothing more/],
    ['companion revoke', /takes the id/],
    ['companion revoke 00ff 11', /nothing more/],
    ['companion revoke Home', /16 digits/],
    ['companion install', /configuration folder/],
    ['companion --data=', /must name a folder/],
    ['companion --loud', /--loud/],
  ])('%s is refused', (line, words) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ ok: false, message: expect.stringMatching(words) });
  });
});

describe('the list', () => {
  it('says what is under way, and who was never there', () => {
    const [client] = companionExample.clients;
    if (client === undefined) throw new Error('the example has a Home Assistant');
    const away = { ...client, connected: false, phase: null, version: null, used_at: null };
    const lines = pairedLines({
      ...companionExample,
      clients: [client, away],
      moving: { to: 'mqtt', step: 'release' },
      pairing: { state: 'asking' },
    }).join('\n');
    expect(lines).toContain('They are being moved to the broker.');
    expect(lines).toContain('connected (2026.11.0)');
    expect(lines).toContain('was never connected');
    expect(lines).toContain('waits to be paired');
  });

  it('cannot be made for a folder that no panel has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-companion-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(await answerCompanion({ do: 'show' }, { folder, again: 'sconce companion' })).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/No panel was ever started/)],
    });
  });
});
