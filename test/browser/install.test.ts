import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { clearAway } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { type RunLoop, startRunLoop } from './run-loop.ts';

const passphrase = 'marker with ünusual words';

/** A browser that restarts with the agent is told of refused connections; nothing else may go wrong. */
const ownFaults = (faults: readonly string[]): readonly string[] =>
  faults.filter(
    (fault) =>
      !/ERR_CONNECTION_(?:REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of (?:503|422)/.test(fault),
  );

describe.skipIf(noBrowser)('backups and earlier settings, in a browser', () => {
  let browser: Browser;
  let agent: RunLoop;
  let origin: string;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startRunLoop([1500, 9000, 400])]);
    origin = `http://panel.local:${agent.port}`;
  }, 150_000);
  afterAll(async () => {
    await agent.stop();
    clearAway();
    await closePages(browser);
  });

  const zoom = async (): Promise<unknown> => {
    const answer = await fetch(`${agent.url}/api/v1/config`);
    const { settings } = (await answer.json()) as { readonly settings: Readonly<Record<string, unknown>> };
    return settings['dashboard_zoom'];
  };
  const setZoom = (to: number): Promise<true> =>
    until('the save', async () => {
      const body = JSON.stringify({ dashboard_zoom: to });
      return (await fetch(`${agent.url}/api/v1/config`, { method: 'POST', body })).ok;
    });
  /** Opens the question of a button and agrees. */
  const agree = async (page: Page, button: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: button }).click();
  };

  test('makes a backup, shows what it would change, and restores it through the restart', async () => {
    await setZoom(110);
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}/install`);
    await page.locator('#backup-passphrase').fill(passphrase);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Make a backup' }).click();
    const saved = await (await saving).path();
    expect((await readFile(saved)).subarray(0, 4).toString()).toBe('HPB1');
    await page.getByText(/^Saved as .*\.hpb\.$/).waitFor();
    expect(await axe(page)).toEqual([]);

    await setZoom(120);
    const look = page.getByRole('button', { name: 'Show what it would do' });
    await page.locator('#restore-file').setInputFiles(saved);
    await page.locator('#restore-passphrase').fill('another passphrase');
    await look.click();
    await page.locator('sconce-restore .refused').waitFor();
    await page.locator('#restore-passphrase').fill(passphrase);
    await look.click();
    await page.getByText('It is from this panel').waitFor();
    await page.getByText('1 setting changes').click();
    await page.getByText('120 to 110').waitFor();
    expect([await axe(page), await zoom()]).toEqual([[], 120]);

    await page.getByRole('button', { name: 'Restore and restart' }).click();
    await agree(page, 'Restore and restart');
    await page.getByRole('heading', { name: 'Last' }).waitFor({ timeout: 30_000 });
    await page.locator('sconce-job').getByText('restored').first().waitFor({ timeout: 30_000 });
    await until('the restored settings', async () => (await zoom()) === 110);
    await page.reload();
    await page.locator('sconce-job').getByText('restored').first().waitFor();
    expect(await axe(page)).toEqual([]);
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  }, 120_000);

  test('returns to earlier settings, and imports a file of them', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${origin}/install`);
    const before = await zoom();
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save the settings' }).click();
    const saved = await (await saving).path();

    await page.getByRole('button', { name: 'Return to this' }).first().click();
    await agree(page, 'Return to this');
    await until('the earlier settings', async () => (await zoom()) !== before);

    await page.locator('#settings-file').setInputFiles(saved);
    await page.getByRole('button', { name: 'Show what it would change' }).click();
    await page.getByText(/^\d+ settings? changes?$/).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.locator('[data-import]').click();
    await agree(page, 'Import');
    await until('the imported settings', async () => (await zoom()) === before);
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  }, 60_000);

  test('sends another file, or another passphrase, also while the first waits for a person', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    const waits = { ok: false, error: 'approval-required', message: 'Approve it.', approval_id: 'a'.repeat(32) };
    const preview = {
      ok: true,
      status: 'preview',
      origin: 'this-machine',
      made_at: 0,
      made_by: 'hall',
      version: '1.0.0',
      state_unavailable: false,
      changes: [],
      skipped_keys: [],
      parts: [],
      profile: null,
    };
    const sent: string[] = [];
    await page.route('**/api/v1/approvals/*', (route) =>
      route.fulfill({ json: { ok: true, id: waits.approval_id, state: 'pending' } }),
    );
    await page.route('**/api/v1/backup', (route) => {
      sent.push(String(route.request().postData()));
      return route.fulfill({ status: 202, json: waits });
    });
    await page.route('**/api/v1/restore?*', (route) => {
      if (route.request().url().includes('dry_run=1')) return route.fulfill({ json: preview });
      sent.push(String(route.request().postData()));
      return route.fulfill({ status: 202, json: waits });
    });
    await page.goto(`${origin}/install`);
    for (const typed of ['a misspelt pasphrase', 'a misspelt passphrase']) {
      await page.locator('#backup-passphrase').fill(typed);
      await page.getByRole('button', { name: 'Make a backup' }).click();
      await until('the request', () => sent.some((body) => body.includes(typed)));
    }
    for (const name of ['one', 'other']) {
      await page.locator('#restore-file').setInputFiles({ name, mimeType: 'x/y', buffer: Buffer.from(name) });
      await page.getByRole('button', { name: 'Show what it would do' }).click();
      await page.locator('[data-restore]').click();
      await agree(page, 'Restore and restart');
      await until('the request', () => sent.includes(name));
    }
    expect(sent).toHaveLength(4);
    await context.close();
  }, 60_000);
});
