import { describe, expect, it } from 'vitest';
import { parseCommand } from '#bin/arguments.ts';

function read(line: string) {
  const parsed = parseCommand(line.split(' '));
  return parsed.ok ? parsed.value : parsed.message;
}

describe('the command line of an installation', () => {
  it.each([
    ['install', { verb: 'install', options: { shape: null, user: null, packages: true, dryRun: false, yes: false } }],
    [
      'install --dry-run --session kiosk',
      {
        verb: 'install',
        options: { shape: 'kiosk', user: null, packages: true, all: false, dryRun: true, yes: false },
      },
    ],
    [
      'install --dry-run --all',
      { verb: 'install', options: { shape: null, user: null, packages: true, all: true, dryRun: true, yes: false } },
    ],
    [
      'install -y --session user --user anna --no-packages',
      { verb: 'install', options: { shape: 'user', user: 'anna', packages: false, dryRun: false, yes: true } },
    ],
    [
      'uninstall --yes --purge',
      { verb: 'uninstall', options: { purge: true, packages: false, dryRun: false, yes: true } },
    ],
    [
      'uninstall --purge-packages --dry-run',
      { verb: 'uninstall', options: { purge: false, packages: true, dryRun: true, yes: false } },
    ],
    ['install --help', { verb: 'help', topic: 'install' }],
    ['uninstall -h', { verb: 'help', topic: 'uninstall' }],
  ])('%s', (line, wanted) => {
    expect(read(line)).toMatchObject(wanted);
  });

  it.each([
    ['install --session desktop', '--session must be kiosk or user.'],
    ['install --user ../x', '--user must be the name of a user of this machine.'],
    ['install now', /now/],
    ['install --purge', /purge/],
    ['uninstall --session kiosk', /session/],
  ])('%s is refused', (line, why) => {
    expect(read(line)).toMatch(why);
  });
});
