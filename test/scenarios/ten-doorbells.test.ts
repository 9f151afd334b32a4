import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { TreeNode } from '#machines/kit/status.ts';
import { applySteps, copySources, renamed } from '#test/rules/worked-example.ts';

import { clearAway, startAgent } from './agent-process.ts';
import { boundMs, buildIn, exampleSteps, heavyPages, root, testsIn } from './example-copy.ts';

/** As long as the name in the example, so that its code keeps to the width of a line. */
const names = [
  'doorbell',
  'backbell',
  'barnbell',
  'gatebell',
  'lakebell',
  'poolbell',
  'roofbell',
  'shopbell',
  'sidebell',
  'yardbell',
];

describe('a house with ten more subsystems, each with settings, a card, a page and a chunk', () => {
  const copy = join(root, '.cache/doorbells');
  let built = 'not yet';
  let tested = 'not yet';

  beforeAll(async () => {
    copySources(root, copy);
    for (const name of names) applySteps(copy, renamed(exampleSteps, name));
    built = await buildIn(copy);
    // The one doorbell of the example passes all the others.
    const tests = ['test/rules/core', 'test/ui/weights', 'test/machines/manifests', 'test/ui/page-bundles'];
    tested = built === '' ? await testsIn(copy, tests) : 'not built';
  }, boundMs);
  afterAll(clearAway);

  it('is built', () => expect(built).toBe(''));

  it('has scripts, styles and a core within their budgets', () => expect(tested).toBe(''));

  it('runs all of them, and serves pages within their weights, also once each has something to tell', async () => {
    const agent = await startAgent({ program: join(copy, 'dist/sconce.cjs') });
    for (const name of names)
      expect((await fetch(`${agent.url}/api/v1/${name}`, { method: 'POST' })).status, name).toBe(200);
    expect(
      await heavyPages(
        agent.url,
        names.map((name) => `/${name}`),
      ),
    ).toEqual([]);
    const { supervision } = z
      .object({ supervision: TreeNode() })
      .parse(await (await fetch(`${agent.url}/api/v1/status`)).json());
    const panel = supervision.children.find(({ id }) => id === 'panel')?.children ?? [];
    const running = panel.filter(({ phase }) => phase === 'running').map(({ id }) => id);
    expect(running).toEqual(expect.arrayContaining(names));
  });
});
