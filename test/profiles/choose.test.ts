import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { chooseProfile, type ScreenSigns } from '#profiles/choose.ts';

import { type BacklightTree, backlightTree } from '../drivers/screen/backlight-tree.ts';

describe('chooseProfile', () => {
  let tree: BacklightTree;
  let drm: string;
  let nothing: ScreenSigns;
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
    expect(chooseProfile(null, nothing)).toMatchObject({ id: 'simulated', simulated: true });
    expect(chooseProfile(null, { ...nothing, backlights: '/nowhere', connectors: '/nowhere', env: { DISPLAY: '' } }).id).toBe('simulated');
  });

  it('takes the Linux profile where there is a backlight', async () => {
    await tree.add('panel', { brightness: 1 });
    expect(chooseProfile(null, nothing)).toMatchObject({ id: 'linux', simulated: false, simulator: null });
  });

  it('takes the Linux profile where a monitor is connected, though it has no backlight', () => {
    connector('card0-HDMI-A-1', 'connected');
    expect(chooseProfile(null, nothing).id).toBe('linux');
  });

  it.each([{ WAYLAND_DISPLAY: 'wayland-0' }, { DISPLAY: ':0' }])('takes the Linux profile inside a graphical session: %o', (env) => {
    expect(chooseProfile(null, { ...nothing, env }).id).toBe('linux');
  });

  it('does as it is told', async () => {
    expect(chooseProfile('linux', nothing).id).toBe('linux');
    await tree.add('panel', { brightness: 1 });
    expect(chooseProfile('simulated', nothing).id).toBe('simulated');
  });
});
