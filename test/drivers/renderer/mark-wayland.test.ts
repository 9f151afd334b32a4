import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { markIn } from '#drivers/renderer/find-mark.ts';
import { createUseMark } from '#drivers/renderer/use-mark.ts';
import type { MarkCommand, MarkFact } from '#machines/in-use/events.ts';
import { amount } from '../../fakes/amount.ts';
import { until } from '../../scenarios/live-agent.ts';
import { runDriver } from '../run-driver.ts';
import { startQuestions } from './question-rig.ts';
import { noBrowser, START_MS } from './rig.ts';
import { hasWeston, startWaylandScreen } from './wayland-screen.ts';

const isAll = amount(false, true);
if (isAll && !hasWeston) console.warn('SKIPPED the mark on Wayland: no weston (apt-get install weston)');

const PAGE = `<!doctype html><title>p</title><body style="background:#cde">
<dialog id="dialog" style="inset:0;width:100%;height:100%;max-width:none;max-height:none;background:#080">d</dialog>
<div id="full" style="background:#880">f</div>`;

test.skipIf(noBrowser || !hasWeston || !isAll)(
  'the mark is in the picture of a Wayland compositor too, above a dialog and fullscreen',
  async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(PAGE);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A server that listens on TCP has an AddressInfo.
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const screen = await startWaylandScreen();
    const use = createUseMark({ elapsed: () => performance.now() });
    const appearance = { zoomPercent: 100, theme: 'follow', kiosk: false, fullscreen: true } as const;
    const rig = await startQuestions(
      { origin, ownOrigin: origin, display: 'auto', appearance },
      { env: screen.env, mark: { attach: use.attach } },
    );
    const mark = runDriver<MarkCommand, MarkFact>(use.driver);
    try {
      expect(rig.browser.facts).toContainEqual(expect.objectContaining({ type: 'browser.ready', route: 'wayland' }));
      await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
      const seen = (what: string): Promise<unknown> =>
        until(what, async () => markIn(await screen.corner()).join() === 'camera');
      expect(markIn(await screen.corner())).toEqual([]);
      mark.tell({ type: 'mark.show', of: ['camera'] });
      await mark.until((fact): fact is MarkFact => fact.type === 'mark.confirmed');
      await seen('the mark');
      for (const script of ['dialog.showModal()', 'dialog.close(); full.requestFullscreen()']) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await rig.inDashboard(`(async () => { ${script}; })()`);
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await seen(script);
      }
      mark.tell({ type: 'mark.hide' });
      await until('it is gone', async () => markIn(await screen.corner()).length === 0);
    } finally {
      mark.stop();
      await mark.settled();
      await rig.end();
      await screen.end();
      server.close();
    }
  },
  2 * START_MS,
);
