import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readSystemTrust } from '#drivers/kit/system-trust.ts';

const PEM = '-----BEGIN CERTIFICATE-----\n';
let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-trust-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the first bundle with a certificate counts, whichever system it is of', async () => {
  const bundles = [at('debian'), at('fedora'), at('suse')];
  writeFileSync(at('fedora'), '# none yet\n');
  writeFileSync(at('suse'), `${PEM}suse`);
  expect(await readSystemTrust(bundles)).toBe(`${PEM}suse`);
  writeFileSync(at('fedora'), `${PEM}fedora`);
  expect(await readSystemTrust(bundles)).toBe(`${PEM}fedora`);
});

it('without any certificate there is nothing to trust', async () =>
  expect(await readSystemTrust([at('none')])).toBeUndefined());
