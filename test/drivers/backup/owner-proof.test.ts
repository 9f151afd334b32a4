import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { leaveProof, redeemProof, sweepProofs, withdrawProof } from '#drivers/backup/owner-proof.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-proof-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const left = (): readonly string[] => (existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : []);

describe('the proof of the data folder’s owner', () => {
  it('is good for one use', () => {
    const token = leaveProof(folder);
    expect(left()).toHaveLength(1);
    expect(left().join('')).not.toContain(token);
    expect(redeemProof(folder, token, Date.now())).toBe(true);
    expect(left()).toEqual([]);
    expect(redeemProof(folder, token, Date.now())).toBe(false);
  });

  it('is over after a minute', () => {
    const token = leaveProof(folder);
    expect(redeemProof(folder, token, Date.now() + 61_000)).toBe(false);
    expect(left()).toEqual([]);
  });

  it('is nothing that was not left', () => {
    leaveProof(folder);
    for (const token of ['', 'x', '0'.repeat(64), '../../etc/passwd', 'A'.repeat(64)])
      expect(redeemProof(folder, token, Date.now())).toBe(false);
    expect(left()).toHaveLength(1);
  });

  it('is no link to a file of another', () => {
    const token = leaveProof(folder);
    const name = `owner-${createHash('sha256').update(token).digest('hex')}`;
    rmSync(join(folder, 'tmp', name));
    writeFileSync(join(folder, 'other'), '');
    utimesSync(join(folder, 'other'), new Date(), new Date());
    symlinkSync(join(folder, 'other'), join(folder, 'tmp', name));
    expect(redeemProof(folder, token, Date.now())).toBe(false);
    expect(existsSync(join(folder, 'other'))).toBe(true);
  });

  it('can be withdrawn, and is swept away at a start', () => {
    withdrawProof(folder, leaveProof(folder));
    expect(left()).toEqual([]);
    const token = leaveProof(folder);
    writeFileSync(join(folder, 'tmp', 'announcement-1'), '');
    sweepProofs(folder);
    expect(left()).toEqual(['announcement-1']);
    expect(redeemProof(folder, token, Date.now())).toBe(false);
  });

  describe.runIf(process.getuid?.() === 0)('left by root', () => {
    const other = 65_534;
    beforeEach(() => {
      chownSync(folder, other, other);
    });

    it('is the owner’s', () => {
      const token = leaveProof(folder);
      const name = `owner-${createHash('sha256').update(token).digest('hex')}`;
      expect(statSync(join(folder, 'tmp'))).toMatchObject({ uid: other, gid: other });
      expect(statSync(join(folder, 'tmp', name))).toMatchObject({ uid: other, gid: other });
      expect([process.geteuid?.(), process.getegid?.()]).toEqual([0, 0]);
      withdrawProof(folder, token);
      expect(left()).toEqual([]);
    });

    it('gets nowhere that its owner may not write', () => {
      const forRoot = mkdtempSync(join(tmpdir(), 'sconce-proof-'));
      try {
        symlinkSync(forRoot, join(folder, 'tmp'));
        expect(() => leaveProof(folder)).toThrow('EACCES');
        expect(readdirSync(forRoot)).toEqual([]);
        expect(process.geteuid?.()).toBe(0);
      } finally {
        rmSync(forRoot, { recursive: true, force: true });
      }
    });
  });
});
