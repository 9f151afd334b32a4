import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runGuest } from './machine.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-guest-machine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Something that is started in QEMU's place: what it does on KVM, and on an emulated processor. */
function standIn(onKvm: string, emulated = 'echo SCONCE started; echo emulated'): string {
  const path = join(folder, 'qemu');
  writeFileSync(path, `#!/bin/sh\nif [ "$2" = kvm ]; then ${onKvm}; else ${emulated}; fi\n`);
  chmodSync(path, 0o755);
  return path;
}
const run = (program: string, { kvm = '/dev/null', firstWordMs = 10_000, withinMs = 15_000 } = {}) =>
  runGuest([], { withinMs, onLine: () => {}, program, kvm, firstWordMs });

describe('what runs the guest', () => {
  it('is KVM where the guest says its first word on it', async () => {
    const { ranBy, lines } = await run(standIn('echo SCONCE started; echo real'));
    expect(ranBy).toBe('KVM');
    expect(lines).toEqual(['SCONCE started', 'real']);
  });

  it.each([
    { what: 'refuses', onKvm: 'echo "failed to set MSR" >&2; exit 134', firstWordMs: 10_000, why: 'failed to set MSR' },
    { what: 'ends without a word', onKvm: 'exit 3', firstWordMs: 10_000, why: 'QEMU ended (3)' },
    { what: 'hangs', onKvm: 'exec sleep 60', firstWordMs: 300, why: 'not a word in 0.3 s' },
    { what: 'is slow', onKvm: 'echo booting; exec sleep 60', firstWordMs: 300, why: 'not a word in 0.3 s' },
  ])('is an emulated processor where KVM $what', async ({ onKvm, firstWordMs, why }) => {
    const { ranBy, lines } = await run(standIn(onKvm), { firstWordMs });
    expect(ranBy).toBe(`an emulated processor (KVM: ${why})`);
    expect(lines).toEqual(['SCONCE started', 'emulated']);
  });

  it('is an emulated processor where the machine has no KVM', async () => {
    const { ranBy } = await run(standIn('echo SCONCE started'), { kvm: join(folder, 'missing') });
    expect(ranBy).toBe(`an emulated processor (KVM: no ${folder}/missing)`);
  });

  it('is killed when its time is over', async () => {
    const { ranBy } = await run(standIn('exit 1', 'exec sleep 60'), { withinMs: 300 });
    expect(ranBy).toBe('an emulated processor (KVM: QEMU ended (1))');
  });
});
