import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { publicAddress, withAddress } from './repository-address.mjs';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

describe('the address of this repository', () => {
  it.each<[string, string]>([
    ['https://git.sconce.dev/wall/sconce.git', 'https://git.sconce.dev/wall/sconce.git'],
    ['https://git.sconce.dev/wall/sconce/\n', 'https://git.sconce.dev/wall/sconce'],
    ['http://Git.Sconce.dev:3000/wall/sconce', 'https://git.sconce.dev/wall/sconce'],
    ['https://git.sconce.dev:8443/wall/sconce', 'https://git.sconce.dev:8443/wall/sconce'],
    ['https://pat:ghp_Secret@git.sconce.dev/wall/sconce.git', 'https://git.sconce.dev/wall/sconce.git'],
    ['https://git.sconce.dev/wall/sconce?token=Secret', 'https://git.sconce.dev/wall/sconce'],
    ['git@git.sconce.dev:wall/sconce.git', 'https://git.sconce.dev/wall/sconce.git'],
    ['git.sconce.dev:wall/sconce', 'https://git.sconce.dev/wall/sconce'],
    ['ssh://git@git.sconce.dev:2222/wall/sconce.git', 'https://git.sconce.dev/wall/sconce.git'],
    ['git://git.sconce.dev/~pat/sconce', 'https://git.sconce.dev/~pat/sconce'],
  ])('of %s is %s', (remote, address) => {
    expect(publicAddress(remote)).toBe(address);
    expect(publicAddress(address)).toBe(address);
  });

  it.each([
    '',
    '/srv/sconce',
    '../sconce',
    'file:///srv/sconce.git',
    'C:\\sconce',
    'https://nas/wall/sconce',
    'https://nas.local/wall/sconce',
    'pi@hall.lan:sconce.git',
    'https://192.168.1.5/wall/sconce',
    'https://[fd00::1]/wall/sconce',
    'https://localhost:3000/wall/sconce',
    'https://git.sconce.dev/',
    'https://git.sconce.dev/wall/$(reboot)',
    'https://git.sconce.dev/../sconce',
    'https://git.sconce.dev:80;reboot/wall/sconce',
    'https://git.sconce.dev:$(reboot)/wall/sconce',
    'https://git.sconce.dev\\@example.com/wall/sconce',
  ])('is not to be had from %j', (remote) => expect(publicAddress(remote)).toBeNull());

  it('is in the README as the script writes it, or asked for', () => {
    const [, address = null] = /^git clone (\S+) sconce$/m.exec(readme) ?? [];
    expect(readme).toBe(withAddress(readme, address));
    if (address !== null) expect(publicAddress(address)).toBe(address);
  });

  it('takes the place of the question for it, and back', () => {
    const address = 'https://git.sconce.dev/wall/sconce';
    const filled = withAddress(readme, address);
    expect(filled).toContain(`\ngit clone ${address} sconce\nsudo sconce/bin/sconce install\n`);
    expect(filled).not.toContain('read -rp');
    expect(withAddress(filled, null)).toContain('\nread -rp ');
    expect(() => withAddress('# Sconce\n', address)).toThrow('no part for the address');
  });
});
