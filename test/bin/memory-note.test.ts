import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { memoryNote } from '#bin/memory-note.ts';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

const controllers = 'sys/fs/cgroup/cgroup.controllers';
function machine(files: Readonly<Record<string, string>>): string {
  root = mkdtempSync(join(tmpdir(), 'sconce-memory-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
const systemd = { 'run/systemd/system/x': '' };

describe('the note of a kernel that counts no memory', () => {
  it.each([
    ['the controller is on', { ...systemd, [controllers]: 'cpuset cpu io memory hugetlb pids\n' }],
    ['the machine has no cgroup v2', systemd],
    ['no systemd runs a unit', { [controllers]: 'cpu pids\n' }],
  ])('is not there where %s', (_, files) => expect(memoryNote(machine(files))).toBeNull());

  it.each([
    ['boot/firmware/cmdline.txt', 'the one line of /boot/firmware/cmdline.txt'],
    ['boot/cmdline.txt', 'the one line of /boot/cmdline.txt'],
    ['boot/grub/grub.cfg', 'the command line of the kernel'],
  ])('says with %s what to add, and where', (file, where) =>
    expect(memoryNote(machine({ ...systemd, [controllers]: 'cpuset cpu io pids\n', [file]: '' }))).toBe(
      `This kernel does not account for the memory of services, so the memory limit of Sconce's unit has no effect. Add cgroup_enable=memory to ${where} and restart the machine.`,
    ),
  );

  it('is not mistaken about a controller of a similar name', () =>
    expect(memoryNote(machine({ ...systemd, [controllers]: 'cpu memory_extra\n' }))).not.toBeNull());
});
