import { describe, expect, it } from 'vitest';

import { parseCommand } from '#bin/arguments.ts';

const parse = (line: string) => parseCommand(line.split(' '));
function options(line: string): unknown {
  const parsed = parse(line);
  return parsed.ok && 'options' in parsed.value ? parsed.value.options : parsed;
}

describe('sconce backup', () => {
  it('takes a file and how it is protected', () => {
    expect(options('backup hall.hpb --passphrase-file p')).toEqual({
      file: 'hall.hpb',
      passphraseFile: 'p',
      data: null,
      signIn: true,
    });
    expect(options('backup --plaintext --no-sign-in --data /x hall.zip')).toEqual({
      file: 'hall.zip',
      passphraseFile: null,
      data: '/x',
      signIn: false,
    });
    expect(options('backup --passphrase-file=p -- --odd')).toMatchObject({ file: '--odd' });
  });

  it.each([
    ['backup', 'takes the name of a file'],
    ['backup a.hpb', '--passphrase-file'],
    ['backup a b --plaintext', 'one file'],
    ['backup a --plaintext --passphrase-file p', 'together'],
    ['backup a --passphrase-file', 'needs a value'],
    ['backup a --passphrase-file=', 'must name a file'],
    ['backup a --plaintext --data=', 'must name a folder'],
    ['backup a --plaintex', 'Did you mean --plaintext'],
    ['backup a --replaces', 'no option --replaces'],
  ])('refuses %s', (line, why) => {
    const parsed = parse(line);
    expect(parsed).toMatchObject({ ok: false, reason: 'usage' });
    expect(parsed.ok ? '' : parsed.message).toContain(why);
  });
});

describe('sconce restore', () => {
  it('takes a file and what is done with it', () => {
    expect(options('restore hall.hpb')).toEqual({
      file: 'hall.hpb',
      passphraseFile: null,
      data: null,
      dryRun: false,
      replaces: false,
    });
    expect(options('restore --replaces hall.hpb --dry-run --passphrase-file p --data d')).toEqual({
      file: 'hall.hpb',
      passphraseFile: 'p',
      data: 'd',
      dryRun: true,
      replaces: true,
    });
  });

  it.each([
    ['restore', 'takes the name of a file'],
    ['restore a b', 'one file'],
    ['restore a --plaintext', 'no option --plaintext'],
    ['restore a --dry', 'Did you mean --dry-run'],
  ])('refuses %s', (line, why) => {
    const parsed = parse(line);
    expect(parsed.ok ? '' : parsed.message).toContain(why);
  });

  it('has help of its own', () => {
    expect(parse('restore -h')).toEqual({ ok: true, value: { verb: 'help', topic: 'restore' } });
  });
});
