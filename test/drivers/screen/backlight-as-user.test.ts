import { chmod } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { lookForBacklight } from '#drivers/screen/backlight-device.ts';
import { becomeUser } from '#test/drivers/become-user.ts';

import { type BacklightTree, backlightTree } from './backlight-tree.ts';

becomeUser();

let tree: BacklightTree;
beforeEach(async () => {
  tree = await backlightTree();
});
afterEach(() => tree.end());

it('takes the first device that an ordinary user may write, and names one that it may not', async () => {
  await tree.add('best', { type: 'firmware', max_brightness: 9, brightness: 1, bl_power: 0 });
  await chmod(join(tree.root, 'best', 'brightness'), 0o444);
  expect(await lookForBacklight(tree.root)).toEqual({ unwritable: 'best' });
  await tree.add('other', { type: 'raw', max_brightness: 9, brightness: 1, bl_power: 0 });
  await chmod(join(tree.root, 'other', 'bl_power'), 0o444);
  expect(await lookForBacklight(tree.root)).toMatchObject({ device: { facts: { name: 'other', power: false } } });
});
