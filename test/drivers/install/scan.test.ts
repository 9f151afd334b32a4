import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newlyInstalled } from '#drivers/install/add.ts';
import { findTried, graphicalUser, packageStates } from '#drivers/install/scan.ts';
import { personOf } from '#drivers/install/people.ts';

describe('the scan of a machine', () => {
  it('reads what dpkg and apt say', () => {
    const dpkg = 'labwc installed\nmpv config-files\n';
    const policy =
      'labwc:\n  Installed: 0.8.3-1\n  Candidate: 0.8.3-1\n  Version table:\nmpv:\n  Installed: (none)\n  Candidate: 0.40.0-3\ncage:\n  Installed: (none)\n  Candidate: (none)\n';
    expect(packageStates(['labwc', 'mpv', 'cage', 'wlopm'], dpkg, policy)).toEqual({
      labwc: { installed: true, candidate: '0.8.3-1' },
      mpv: { installed: false, candidate: '0.40.0-3' },
      cage: { installed: false, candidate: null },
      wlopm: { installed: false, candidate: null },
    });
  });

  it('counts only what apt installs anew, not what it upgrades', () => {
    expect(
      newlyInstalled('Inst libx (1.0 Debian:13 [amd64])\nInst liby [0.9] (1.0 Debian:13 [amd64])\nConf libx (1.0)\n'),
    ).toEqual(['libx']);
  });

  it.each([
    ['a desktop', ['Name=anna\nType=wayland\nClass=user\n'], 'anna'],
    ['a greeter', ['Name=sddm\nType=x11\nClass=greeter\n'], null],
    ['a console', ['Name=anna\nType=tty\nClass=user\n'], null],
    ['the panel itself', ['Name=sconce\nType=wayland\nClass=user\n'], null],
    ['a console and a desktop', ['Name=bert\nType=tty\nClass=user\n', 'Class=user\nName=anna\nType=x11\n'], 'anna'],
    ['nobody', [], null],
  ])('sees whose session is there: %s', (_, blocks, name) => {
    expect(graphicalUser(blocks, 'sconce')).toBe(name);
  });

  it('finds the settings of who called, else those of root', () => {
    const home = mkdtempSync(join(tmpdir(), 'sconce-tried-'));
    try {
      const person = (name: string) => ({ name, uid: 1000, gid: 1000, home: join(home, name) });
      const [anna, root] = [person('anna'), person('root')];
      expect(findTried([anna, root])).toBeNull();
      for (const { home: own } of [root, anna]) {
        const folder = join(own, '.local/state/sconce');
        mkdirSync(folder, { recursive: true });
        expect(findTried([own === root.home ? root : anna])).toBeNull();
        writeFileSync(join(folder, 'state.json'), '{}');
        expect(findTried([null, anna, root])?.folder).toBe(folder);
      }
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('reads users, and nothing else', () => {
    expect(personOf('anna:x:1000:1001:Anna,,,:/home/anna:/bin/bash')).toEqual({
      name: 'anna',
      uid: 1000,
      gid: 1001,
      home: '/home/anna',
    });
    for (const line of ['', '+::::::', 'x:x:one:1::/h:/s', 'x:x:1:1::relative:/s']) expect(personOf(line)).toBeNull();
  });
});
