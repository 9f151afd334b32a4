import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clearAway, startAgent, type AgentProcess } from '#test/scenarios/agent-process.ts';
import { noBrowser, openPage, startBrowser } from './browser.ts';

describe.skipIf(noBrowser)('the log, opened by a LAN name', () => {
  let browser: Browser;
  let agent: AgentProcess;
  let origin: string;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startAgent()]);
    origin = `http://panel.local:${agent.port}`;
  });
  afterAll(async () => {
    clearAway();
    await browser.close();
  });

  test('streams, is filtered and searched, says when it is cut, and heals after a new start', async () => {
    const { page, context } = await openPage(browser, origin, { viewport: { width: 480, height: 480 } });
    await page.goto(`${origin}/logs`);
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    await page.locator('.log-line', { hasText: 'simulated panel' }).waitFor();
    await page.getByRole('combobox').selectOption('warn');
    expect(await page.locator('.log-line.log-info:visible').count()).toBe(0);
    await page.getByRole('combobox').selectOption('trace');
    await page.getByRole('searchbox').fill('no line says this');
    await page.locator('[data-none]:visible').waitFor();
    await page.getByRole('searchbox').fill('');
    // What is held back is not called live.
    const state = page.locator('.log-state');
    await page.getByRole('button', { name: 'Pause' }).click();
    await state.getByText('paused').waitFor();
    expect(await state.innerText()).not.toContain('live');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    await agent.kill('SIGKILL');
    await page.locator('[data-link]', { hasText: 'not live' }).waitFor();
    agent = await startAgent({ data: agent.data, port: agent.port });
    await page.locator('[data-link]', { hasText: /^live$/ }).waitFor();
    await page.locator('.log-note', { hasText: 'started again' }).waitFor();
    await context.close();
  });
});
