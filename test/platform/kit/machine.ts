import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Root of the files in which a machine identifies itself (`SCONCE_MACHINE_ROOT`); `digit` tells machines apart. */
export function ownMachine(digit: string): string {
  const root = mkdtempSync(join(tmpdir(), 'sconce-machine-'));
  const card = join(root, 'sys/class/net/eth0');
  mkdirSync(join(root, 'etc'));
  mkdirSync(join(card, 'device'), { recursive: true });
  writeFileSync(join(root, 'etc/machine-id'), `${digit.repeat(32)}\n`);
  writeFileSync(join(card, 'address'), `02:00:00:00:00:0${digit}\n`);
  writeFileSync(join(card, 'addr_assign_type'), '0\n');
  writeFileSync(join(card, 'type'), '1\n');
  return root;
}
