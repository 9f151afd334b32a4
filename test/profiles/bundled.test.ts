import { describe, expect, it } from 'vitest';

import { bundledBytes, bundledProfiles } from '#profiles/bundled.ts';
import { readProfile } from '#profiles/read.ts';
import { resolveProfile } from '#profiles/resolve.ts';

describe('the bundled profiles', () => {
  it('are there', () => {
    expect(bundledProfiles().map(({ document }) => document.id)).toEqual([
      'android-generic',
      'generic-linux',
      'laptop-tablet',
      'raspberry-pi-hdmi',
      'raspberry-pi-touch-display-1',
      'raspberry-pi-touch-display-2',
      'rk35xx-linux',
      'simulated',
      'sonoff-nspanel-pro',
    ]);
  });

  it.each(bundledProfiles().map((one) => [one.document.id, one] as const))(
    '%s passes its own reader without a word and can be made',
    (id, { document, summary }) => {
      const read = readProfile(bundledBytes(id) ?? new Uint8Array());
      expect(read).toMatchObject({ ok: true, warnings: [], summary: { ...summary, origin: 'local' } });
      if (!read.ok) throw new Error('it was refused');
      expect(read.document).toEqual(document);
      expect(resolveProfile(document, { hash: summary.revision, origin: 'bundled' })).toMatchObject({
        id,
        title: summary.display_name,
        simulated: document.platform.os === 'simulated',
      });
    },
  );

  it('say honestly what was not run on its hardware', () => {
    for (const { document, summary } of bundledProfiles()) {
      if (summary.maturity === 'verified') expect(summary.tested_firmware.length, document.id).toBeGreaterThan(0);
      else expect(summary.limitations.length, document.id).toBeGreaterThan(0);
    }
  });

  it('ask the plan for what they want beside their parts', () => {
    const found = bundledProfiles().find(({ document }) => document.id === 'raspberry-pi-hdmi');
    if (found === undefined) throw new Error('it is not there');
    const { declared } = resolveProfile(found.document, { hash: found.summary.revision, origin: 'bundled' });
    expect(declared.map(({ requirement }) => requirement).filter(({ beside }) => beside !== undefined)).toMatchObject([
      { slot: 'ddcutil', packages: ['ddcutil'], importance: 'recommended', beside: { kind: 'package' } },
      { slot: 'session', packages: [], importance: 'optional', beside: { kind: 'manual' } },
    ]);
  });

  it('have ids of their own', () => {
    const ids = bundledProfiles().map(({ document }) => document.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      bundledProfiles()
        .filter(({ document }) => document.match.fallback)
        .map(({ document }) => document.id),
    ).toEqual(['generic-linux']);
  });
});
