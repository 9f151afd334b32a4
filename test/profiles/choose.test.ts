import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { chooseProfile } from '#profiles/choose.ts';

import { type BacklightTree, backlightTree } from '../drivers/screen/backlight-tree.ts';

describe('chooseProfile', () => {
  let tree: BacklightTree;
  beforeEach(async () => {
    tree = await backlightTree();
  });
  afterEach(() => tree.end());

  it('takes the simulated panel where there is no backlight, and says so', () => {
    expect(chooseProfile(null, tree.root)).toMatchObject({ id: 'simulated', simulated: true });
    expect(chooseProfile(null, `${tree.root}/nowhere`).id).toBe('simulated');
  });

  it('takes the Linux profile where there is one', async () => {
    await tree.add('panel', { brightness: 1 });
    expect(chooseProfile(null, tree.root)).toMatchObject({ id: 'linux', simulated: false, simulator: null });
  });

  it('does as it is told', async () => {
    expect(chooseProfile('linux', tree.root).id).toBe('linux');
    await tree.add('panel', { brightness: 1 });
    expect(chooseProfile('simulated', tree.root).id).toBe('simulated');
  });
});
