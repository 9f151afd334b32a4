import { expect, onTestFinished, test } from 'vitest';

import { processTree } from '#drivers/renderer/process-tree.ts';
import { allGone, holderOf } from './holder.ts';
import { serveHomeAssistant } from './home-assistant-page.ts';
import { noBrowser, START_MS, startRig } from './rig.ts';

test.skipIf(noBrowser)(
  'a browser process is ready, probed, and stopped with everything below it within half a second',
  async () => {
    const homeAssistant = await serveHomeAssistant();
    const rig = await startRig({
      deps: { probeMs: 50 },
      input: { origin: homeAssistant.origin },
      token: () =>
        Promise.resolve({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin }),
    });
    onTestFinished(() => rig.end());
    await rig.fact('browser.ready', undefined, { withinMs: START_MS });
    expect(rig.facts[0]).toMatchObject({ type: 'browser.ready', generation: 1, route: 'headless' });
    await rig.fact('page.probed', ({ place, answeredMs }) => place === 'blank' && answeredMs !== null);
    expect(await rig.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({
      outcome: 'shown',
      status: 200,
    });
    await rig.fact('page.loaded');
    expect(await rig.settle({ type: 'page.go', path: '/lovelace/kitchen', replace: false })).toMatchObject({
      outcome: 'shown',
    });
    await rig.fact(
      'page.probed',
      ({ place, showing, path }) => place === 'dashboard' && showing === true && path === '/lovelace/kitchen',
    );
    const tree = await processTree(await holderOf(rig.folder));
    expect(tree.length).toBeGreaterThan(3);
    const before = performance.now();
    await rig.end(true);
    expect(performance.now() - before).toBeLessThan(1500);
    expect(await allGone(tree)).toBe(true);
    expect(rig.facts.some(({ type }) => type === 'browser.ended')).toBe(false);
    await homeAssistant.close();
  },
  START_MS,
);
