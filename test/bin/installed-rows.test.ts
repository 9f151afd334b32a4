import { expect, it } from 'vitest';

import { installedRows } from '#bin/installed-rows.ts';
import { judgeRenderer, type JudgedFacts } from '#machines/renderer/verdict.ts';
import type { StatusDocument } from '#machines/status.ts';
import { fixtureStatus } from '../ui/fixture.ts';

// Without a display only these are read.
const verdict = judgeRenderer({ phase: 'no-display', desired: null, lastEnd: null } as unknown as JudgedFacts);
// The fixture has rows, so the first is there.
const first = fixtureStatus.capabilities[0] as StatusDocument['capabilities'][number];
const dashboard = { ...first, ...verdict, id: 'dashboard', title: 'Dashboard' };

it('an installed panel without a display is not told to install Sconce', () => {
  expect(installedRows([dashboard], null)).toEqual([dashboard]);
  expect(dashboard.detail).toContain('sudo bin/sconce install');
  const [kiosk] = installedRows([dashboard], { shape: 'kiosk' });
  expect(kiosk).toMatchObject({ state: 'needs_you', fix: { command: 'sudo systemctl restart sconce' } });
  expect(kiosk?.detail).toMatch(/^No display was found\..*connect one, then restart Sconce\.$/);
  const [user] = installedRows([dashboard], { shape: 'user' });
  expect(user?.detail).toContain('log in to that session');
  expect(`${kiosk?.detail} ${user?.detail}`).not.toContain('bin/sconce install');
});

it('all else of an installed panel is as it is', () => {
  const rows = fixtureStatus.capabilities.filter(({ reason }) => reason !== 'no-display');
  expect(installedRows(rows, { shape: 'kiosk' })).toEqual(rows);
});
