import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { chromiumArguments, chromiumForPages } from '#test/browser/program.ts';

/** Longest wait for one step of a person, in milliseconds. */
const stepMs = 20_000;

/** The account that signs in. */
export interface Person {
  readonly username: string;
  readonly password: string;
}

/** The browser of a person elsewhere: it has nothing to do with the one on the panel. */
export class SecondBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Whether there is a browser on this machine. */
  static get isInstalled(): boolean {
    return existsSync(chromiumForPages);
  }

  /** Starts it, unseen. */
  static async start(): Promise<SecondBrowser> {
    return new SecondBrowser(await chromium.launch({ executablePath: chromiumForPages, args: [...chromiumArguments] }));
  }

  /** A fresh private window of a phone's size; close its context when done. */
  async open(): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const context = await this.#browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    page.setDefaultTimeout(stepMs);
    return { page, context };
  }

  /**
   * Signs a panel in as a person does who scanned the code: the panel's page, its button, the login of Home Assistant,
   * and back.
   */
  async signIn(panel: string, person: Person): Promise<string> {
    const { page, context } = await this.open();
    try {
      await beginSignIn(page, panel);
      await logIn(page, person);
      return await outcomeOf(page);
    } finally {
      await context.close();
    }
  }

  /** Ends it. */
  async stop(): Promise<void> {
    await this.#browser.close();
  }
}

/** Opens the sign-in page and presses its button; returns on the login page of Home Assistant. */
export async function beginSignIn(page: Page, panel: string): Promise<void> {
  await page.goto(`${panel}/sign-in`);
  await page.locator('[data-begin]').click();
  await page.locator('input[name=username]').waitFor();
}

/** Fills in the login form of Home Assistant and sends it. */
export async function logIn(page: Page, { username, password }: Person): Promise<void> {
  await page.locator('input[name=username]').waitFor();
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('input[name=password]').press('Enter');
}

/** The outcome of which the panel shows the page: `signed-in`, `rejected` and so on. */
export async function outcomeOf(page: Page): Promise<string> {
  const place = page.locator('.outcome');
  await place.waitFor();
  const names = (await place.getAttribute('class')) ?? '';
  return /\boutcome-([a-z-]+)/.exec(names)?.[1] ?? 'unknown';
}
