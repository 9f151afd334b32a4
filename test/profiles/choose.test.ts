import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { bundledProfiles } from '#profiles/bundled.ts';
import { type ChosenProfile, chooseProfile, type ScreenSigns } from '#profiles/choose.ts';

import { unknownMachine } from './facts.ts';
import { type BacklightTree, backlightTree } from '../drivers/screen/backlight-tree.ts';

describe('chooseProfile', () => {
  let tree: BacklightTree;
  let drm: string;
  let nothing: ScreenSigns;
  const choose = (asked: string | null, signs: ScreenSigns): ChosenProfile =>
    chooseProfile({ asked, signs, facts: () => unknownMachine });
  const connector = (name: string, status: string): void => {
    mkdirSync(join(drm, name));
    writeFileSync(join(drm, name, 'status'), `${status}\n`);
  };

  beforeEach(async () => {
    tree = await backlightTree();
    drm = mkdtempSync(join(tmpdir(), 'sconce-drm-'));
    nothing = { backlights: tree.root, connectors: drm, env: {} };
  });
  afterEach(async () => {
    rmSync(drm, { recursive: true, force: true });
    await tree.end();
  });

  it('takes the simulated panel where there is no screen, and says so', () => {
    mkdirSync(join(drm, 'card0'));
    connector('card0-HDMI-A-1', 'disconnected');
    expect(choose(null, nothing)).toMatchObject({ profile: { id: 'simulated', simulated: true }, why: 'no-screen' });
    expect(
      choose(null, { ...nothing, backlights: '/nowhere', connectors: '/nowhere', env: { DISPLAY: '' } }).profile.id,
    ).toBe('simulated');
  });

  it('takes the Linux profile where there is a backlight', async () => {
    await tree.add('panel', { brightness: 1 });
    expect(choose(null, nothing)).toMatchObject({
      profile: { id: 'generic-linux', simulated: false, simulator: null },
      why: 'none',
    });
  });

  it('takes the Linux profile where a monitor is connected, though it has no backlight', () => {
    connector('card0-HDMI-A-1', 'connected');
    expect(choose(null, nothing).profile.id).toBe('generic-linux');
  });

  it.each([{ WAYLAND_DISPLAY: 'wayland-0' }, { DISPLAY: ':0' }])(
    'takes the Linux profile inside a graphical session: %o',
    (env) => {
      expect(choose(null, { ...nothing, env }).profile.id).toBe('generic-linux');
    },
  );

  it('does as it is told', async () => {
    expect(choose('linux', nothing)).toMatchObject({ profile: { id: 'generic-linux' }, why: 'asked' });
    expect(choose('generic-linux', nothing).profile.id).toBe('generic-linux');
    await tree.add('panel', { brightness: 1 });
    expect(choose('simulated', nothing).profile.id).toBe('simulated');
  });

  it('never takes the simulated panel for lack of a screen where auto is asked for', () => {
    expect(choose('auto', nothing)).toMatchObject({ profile: { id: 'generic-linux', simulated: false }, why: 'none' });
  });

  it('takes what the owner selected, unless the command line names another; auto is no other', () => {
    const [selected] = bundledProfiles()
      .filter(({ document }) => document.id === 'simulated')
      .map(({ document }) => ({ document, hash: 'ab', origin: 'local' as const }));
    if (selected === undefined) throw new Error('there is no simulated profile');
    expect(chooseProfile({ selected, signs: nothing })).toMatchObject({
      profile: { id: 'simulated', revision: { hash: 'ab', origin: 'local' } },
      why: 'selected',
    });
    expect(chooseProfile({ selected, asked: 'auto', signs: nothing }).why).toBe('selected');
    expect(chooseProfile({ selected, asked: 'linux', signs: nothing })).toMatchObject({
      profile: { id: 'generic-linux' },
      why: 'asked',
    });
  });

  it('takes the default profile in place of what fits, and never before what the owner selected or a name asked for', () => {
    const [selected] = bundledProfiles()
      .filter(({ document }) => document.id === 'simulated')
      .map(({ document }) => ({ document, hash: 'ab', origin: 'local' as const }));
    const preferred = 'linux';
    expect(chooseProfile({ preferred, signs: nothing })).toMatchObject({
      profile: { id: 'generic-linux' },
      why: 'preferred',
    });
    expect(chooseProfile({ preferred: 'simulated', asked: 'auto', signs: nothing }).profile.id).toBe('simulated');
    expect(chooseProfile({ preferred, selected: selected ?? null, asked: 'auto', signs: nothing }).why).toBe(
      'selected',
    );
    expect(chooseProfile({ preferred, asked: 'simulated', signs: nothing }).why).toBe('asked');
    expect(chooseProfile({ preferred: 'auto', signs: nothing }).why).toBe('no-screen');
  });

  it('gives way to the fallback where a profile cannot be made, and to the emergency profile where that cannot be either', () => {
    const bundled = bundledProfiles();
    const broken = (id: string) =>
      bundled.map((one) =>
        one.document.id === id
          ? { ...one, document: { ...one.document, hardware: { screen: { driver: 'screen.gone' } } } }
          : one,
      );
    expect(chooseProfile({ asked: 'simulated', bundled: broken('simulated') })).toMatchObject({
      profile: { id: 'generic-linux' },
      why: 'fallback',
    });
    expect(chooseProfile({ asked: 'linux', bundled: broken('generic-linux') })).toMatchObject({
      profile: { id: 'emergency', slots: { screen: [], input: null }, simulated: false },
      why: 'emergency',
    });
    expect(chooseProfile({ asked: 'auto', facts: () => unknownMachine, bundled: [] })).toMatchObject({
      profile: { id: 'emergency' },
      why: 'emergency',
    });
  });
});
