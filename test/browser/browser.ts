import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { StatusDocument } from '#machines/status.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { chromiumArguments, chromiumForPages } from './program.ts';

const required = (process.env['SCONCE_REQUIRE'] ?? '').split(',').includes('browser');

/** Whether browser tests cannot run here; where a browser is required that is a failure. */
export const noBrowser = !required && !existsSync(chromiumForPages);
if (noBrowser) console.warn(`SKIPPED browser: no Chromium at ${chromiumForPages} (apt-get install chromium)`);

let started: Promise<Browser> | undefined;

/**
 * The browser that sees the panel under a LAN name: not a secure context, as on a wall. All files of a worker share
 * it, and it ends with the worker: one for all workers would have each message pass through a third process.
 */
export const startBrowser = (): Promise<Browser> =>
  (started ??= chromium.launch({
    executablePath: chromiumForPages,
    args: [...chromiumArguments, '--host-resolver-rules=MAP panel.local 127.0.0.1'],
  }));

/** Closes what a file has left open in it. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** A page together with what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and of the console, and requests that left the panel. */
  readonly faults: string[];
}

/** A fresh page that notes every fault; `origin` is the only place it may talk to. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // Over plain HTTP the browser says that it leaves out this header; the panel has no other scheme.
    if (message.type() === 'error' && !message.text().includes('Cross-Origin-Opener-Policy'))
      faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(`left the panel: ${url}`);
  });
  return { page, context, faults };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it stands: rule and element, empty when all is well. */
export async function axe(page: Page): Promise<readonly string[]> {
  // It is half a megabyte of script, and a page may be looked at several times.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  // A string, because this file is compiled without the browser's types. Selectors of elements, which nothing here
  // reads, would be half of the work.
  return page.evaluate<string[]>(
    "axe.run(document, {resultTypes: ['violations'], selectors: false}).then((found) => found.violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html.slice(0, 160) + ' ' + (node.failureSummary ?? '').slice(0, 300))))",
  );
}

/** The status that the panel itself gives. */
export async function readStatus(url: string): Promise<StatusDocument> {
  const response = await fetch(`${url}/api/v1/status`);
  // The route is tested against this schema.
  return (await response.json()) as StatusDocument;
}

/** Waits until the panel's own status is as `wanted`. */
export const untilStatus = (
  url: string,
  what: string,
  wanted: (status: StatusDocument) => boolean,
  boundMs = 30_000,
): Promise<unknown> => until(what, async () => wanted(await readStatus(url)), boundMs);
