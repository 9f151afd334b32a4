import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { few } from '#test/fakes/amount.ts';
import { clearAway, ownFolder, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';

const yesterday = Date.now() - 86_400_000;

/** What a run of the day before left on the disk before it was killed. */
const left = [
  { run: '00000001', at: yesterday, start: true, boot: null },
  { run: '00000001', seq: 1, at: yesterday, level: 'error', part: 'mqtt', text: 'A line of yesterday.', facts: 'a=1' },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('');

describe.skipIf(noBrowser)('the log, opened by a LAN name', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;

  beforeAll(async () => {
    const data = ownFolder();
    appendFileSync(join(data, 'agent.log'), left);
    [browser, agent] = await Promise.all([startBrowser(), startAgent({ data })]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await closePages(browser);
  });

  test('streams, is filtered and searched, says when it is cut, and heals after a new start', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}/logs`);
    const link = (word: RegExp) => page.locator('[data-link]', { hasText: word });
    const visible = (words: string) => page.locator('.log-line:visible', { hasText: words });
    await link(/^live$/).waitFor();
    await visible('simulated panel').waitFor();
    // What is ordinary goes without a word; what is not has its own.
    expect(await page.locator('.log-info .log-level').count()).toBe(0);
    expect(await visible('simulated panel').locator('.log-level').innerText()).toBe('warning');
    expect(await page.getByRole('combobox').locator('option').allInnerTexts()).toEqual([
      'Level: all',
      'Level: info',
      'Level: warnings',
      'Level: errors',
    ]);
    await page.getByRole('combobox').selectOption('warn');
    expect(await page.locator('.log-line.log-info:visible').count()).toBe(0);
    await page.getByRole('combobox').selectOption('trace');
    await page.getByRole('searchbox').fill('no line says this');
    await page.locator('[data-none]:visible').waitFor();
    await page.getByRole('searchbox').fill('');
    // What is held back is not called live.
    const state = page.locator('.log-state');
    await page.getByRole('button', { name: 'Pause' }).click();
    await state.getByText(/^paused, \d+ waiting$/).waitFor();
    expect(await state.innerText()).not.toContain('live');
    await page.getByRole('button', { name: 'Resume' }).click();
    await link(/^live$/).waitFor();
    await agent.kill('SIGKILL');
    await link(/not live/).waitFor();
    agent = await startAgent({ data: agent.data, port: agent.port });
    await link(/^live$/).waitFor();
    await page.locator('.log-start', { hasText: 'Before that, it was killed.' }).first().waitFor();
    await context.close();
  });

  test('shows nothing between the lines while none of them passes, and a line for settings that were saved', async () => {
    const { page, context } = await openPage(browser, origin);
    await page.route('**/api/v1/logs?format=json*', async (route) => {
      const response = await fetch(`${agent.url}/api/v1/logs?format=json`);
      // The route is tested against this shape.
      const kept = (await response.json()) as { readonly entries: readonly { readonly level?: string }[] };
      await route.fulfill({
        json: { ...kept, entries: kept.entries.filter(({ level }) => level !== 'error') },
      });
    });
    await page.goto(`${origin}/logs`);
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    const starts = page.locator('.log-start:visible');
    await starts.first().waitFor();
    const before = await starts.count();
    await page.getByRole('combobox').selectOption('error');
    await page.getByText('No matching lines').waitFor();
    expect(await page.locator('.log > li:visible').count()).toBe(0);
    await page.getByRole('combobox').selectOption('trace');
    expect(await starts.count()).toBe(before);
    const saved = await fetch(`${agent.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ friendly_name: 'Hall of echoes' }),
    });
    expect(saved.status).toBe(200);
    await page.locator('.log-line:visible', { hasText: 'Settings were saved: Name.' }).waitFor();
    expect(await page.locator('.log').innerText()).not.toContain('Hall of echoes');
    await context.close();
  });

  test('tells earlier runs by day, folds the facts, and shows what is searched for', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/logs`);
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    const old = page.locator('.log-line', { hasText: 'A line of yesterday.' });
    const facts = old.locator('.log-facts');
    expect(await facts.isVisible()).toBe(false);
    await old.locator('summary').click();
    await facts.waitFor();
    expect(await facts.innerText()).toMatch(/· mqtt · a=1$/);
    const days = await page.locator('.log-day').allInnerTexts();
    expect(days.map((day) => day.replace(/^(\w+) · \w+, \w+ \d+$/, '$1'))).toEqual(['Today', 'Yesterday']);
    const order = await page.evaluate<string[]>(
      "Array.from(document.querySelectorAll('.log > li'), item => item.className)",
    );
    const day = order.lastIndexOf('log-day');
    expect(order[0]).toBe('log-day');
    expect(order.slice(0, day)).toContain('log-note log-start');
    expect(order.slice(day)).toEqual(['log-day', 'log-line log-error', 'log-note log-start']);

    await page.getByRole('searchbox').fill('OF YESTER');
    expect(await page.locator('.log mark').allInnerTexts()).toEqual(['of yester']);
    expect(await page.locator('.log-line:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('.log mark').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the log' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('sconce-log.txt');
    await context.close();
  });

  test.each(
    few([
      // Its buttons have a line of their own, so that the search can be read.
      [480, 480, 3, 136],
      [390, 844, 6, 120],
    ] as const),
  )('at %d x %d has little above its lines, and shows at least %d of them', async (width, height, least, most) => {
    const { page, context } = await openPage(browser, origin, { viewport: { width, height }, hasTouch: true });
    await page.goto(`${origin}/logs`);
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    const found = await until('enough lines', async () => {
      const boxes = await page.evaluate<{ top: number; bottom: number; height: number }[]>(
        "Array.from(document.querySelectorAll('.log-row'), row => row.getBoundingClientRect().toJSON())",
      );
      return boxes.length > least && boxes;
    });
    const tools = await page.locator('.log-tools').boundingBox();
    const bar = await page.locator('.nav').boundingBox();
    expect((found[0]?.top ?? 1e9) - (tools?.y ?? 0)).toBeLessThanOrEqual(most);
    expect(found.filter(({ bottom }) => bottom <= (bar?.y ?? 0)).length).toBeGreaterThanOrEqual(least);
    expect(Math.min(...found.map((box) => box.height))).toBeGreaterThanOrEqual(48);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // The whole word "Search" fits, with room for what is typed.
    expect((await page.getByRole('searchbox').boundingBox())?.width).toBeGreaterThanOrEqual(160);
    await context.close();
  });

  test('reads without scripts, and can be downloaded', async () => {
    const { page, context } = await openPage(browser, origin, { javaScriptEnabled: false });
    await page.goto(`${origin}/logs`);
    await page.locator('.log-line', { hasText: 'The agent is ready.' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Download the log' }).isVisible()).toBe(true);
    await context.close();
  });
});
