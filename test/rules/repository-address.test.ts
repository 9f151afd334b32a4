import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { stamped } from '../../bin/build/companion.mjs';
import { publicAddress, withAddress, withRepository } from './repository-address.mjs';

const textOf = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const readme = textOf('README.md');

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

  it('is in package.json once, and changes nothing else there', () => {
    const before = textOf('package.json');
    const filled = withRepository(before, 'https://git.sconce.dev/wall/sconce.git');
    expect(JSON.parse(filled)).toEqual({
      ...JSON.parse(before),
      repository: { type: 'git', url: 'git+https://git.sconce.dev/wall/sconce.git' },
    });
    expect(filled).toContain(',\n  "repository": {\n    "type": "git",');
    expect(withRepository(filled, 'https://git.sconce.dev/wall/sconce.git')).toBe(filled);
    expect(filled.replace(/ {2}"repository": \{[^}]*\},\n/, '')).toBe(
      before.replace(/ {2}"repository": \{[^}]*\},\n/, ''),
    );
  });

  it("leads Home Assistant's users to its pages, in the order of keys that Home Assistant wants", () => {
    const manifest = textOf('drivers/companion/custom_components/sconce/manifest.json');
    const built = stamped(manifest, '1.2.3', 'git+https://git.sconce.dev/wall/sconce.git');
    expect(JSON.parse(built)).toMatchObject({
      version: '1.2.3',
      documentation: 'https://git.sconce.dev/wall/sconce',
      issue_tracker: 'https://git.sconce.dev/wall/sconce/issues',
    });
    const [domain, name, ...others] = Object.keys(JSON.parse(built));
    expect([domain, name]).toEqual(['domain', 'name']);
    expect(others).toEqual(others.toSorted());
    expect(JSON.parse(stamped(manifest, '0.1.0', undefined))).toEqual(JSON.parse(manifest));
    expect(() => stamped('{"domain":"sconce"}', '1.2.3', undefined)).toThrow('names no version');
  });
});
