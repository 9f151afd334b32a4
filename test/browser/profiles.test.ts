import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAll } from '#test/fakes/in-all.ts';
import { clearAway } from '#test/scenarios/agent-process.ts';
import { until } from '#test/scenarios/live-agent.ts';
import { axe, closePages, noBrowser, openPage, startBrowser } from './browser.ts';
import { startRunLoop, type RunLoop } from './run-loop.ts';

/** A panel that is nowhere near: no start with it proves its screen. */
const unreachable = `schema: 1
id: far-away
version: 2.0.0
display_name: Panel far away
metadata: { author: Somebody, license: MIT, maturity: draft }
requires: { drivers: [screen.adb] }
match:
  priority: 0
  fallback: false
  any: [{ priority: 0, all: [{ field: android_model, op: equals, values: [far away] }] }]
platform: { os: android }
hardware:
  screen: { driver: screen.adb }
`;

const lineWith = (page: Page, words: string | RegExp): Locator => page.locator('.cm-line', { hasText: words });

/**
 * A browser that restarts with the agent is told of refused connections, and once that another platform is to be
 * confirmed (409); nothing else may go wrong.
 */
const ownFaults = (faults: readonly string[]): readonly string[] =>
  faults.filter(
    (fault) =>
      !/ERR_CONNECTION_(?:REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|status of (?:409|503)/.test(fault),
  );

describe.skipIf(noBrowser)('profiles, in a browser, with an agent that restarts', () => {
  let browser: Browser;
  let agent: RunLoop;
  let origin: string;

  beforeAll(async () => {
    [browser, agent] = await Promise.all([startBrowser(), startRunLoop([1500, 14_000, 400])]);
    origin = `http://panel.local:${agent.port}`;
  }, 150_000);
  afterAll(async () => {
    await agent.stop();
    clearAway();
    await closePages(browser);
  });

  const inUse = (page: Page): Locator => page.getByRole('region', { name: 'In use' });
  const draft = (page: Page): Locator => page.locator('sconce-profile-draft');
  const edit = async (page: Page, name: string, button: string): Promise<void> => {
    await page.locator('summary', { hasText: name }).first().click();
    await page.getByRole('button', { name: `${button}: ${name}` }).click();
    await page.locator('.cm-content').waitFor();
  };
  const takeFile = async (page: Page): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'From a file' }).click();
    await (
      await chooser
    ).setFiles({ name: 'far-away.yaml', mimeType: 'application/yaml', buffer: Buffer.from(unreachable) });
  };
  const confirm = async (page: Page, title: RegExp, yes: string): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('Sconce restarts');
    await dialog.getByRole('button', { name: yes }).click();
  };

  test('a draft becomes the profile in use, and is restored when its page is loaded again', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${origin}/profiles`);
    await inUse(page).getByText('Chosen by you.').waitFor();

    // What this panel would be by itself is a draft to read; the copy takes its place without a question, for nothing
    // was written.
    await page.getByRole('button', { name: 'From this panel' }).click();
    await lineWith(page, /^schema: 1/).waitFor();
    await edit(page, 'Simulated panel 1.0.0', 'Edit a copy');
    await lineWith(page, 'id: simulated-copy').waitFor();
    await draft(page).getByText('No errors found').waitFor();
    // Undoing ends at what was loaded.
    const copied = await page.locator('.cm-line').allInnerTexts();
    await lineWith(page, 'id: simulated-copy').click();
    await page.keyboard.press('Control+z');
    expect(await page.locator('.cm-line').allInnerTexts()).toEqual(copied);
    expect(await axe(page)).toEqual([]);

    // A mistake is said at its line.
    await lineWith(page, 'version: 0.1.0').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await draft(page).getByText('1 error').waitFor();
    const place = draft(page).locator('[data-line]');
    const lines = await page.locator('.cm-line').allInnerTexts();
    expect(lines[Number(await place.getAttribute('data-line')) - 1]).toBe('version: 0.1');
    await lineWith(page, 'version: 0.1').locator('.cm-lintRange-error').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await place.click();
    await page.keyboard.press('End');
    await page.keyboard.type('.1');
    await draft(page).getByText('No errors found').waitFor();
    await draft(page)
      .getByText(/differences? from the one in use/)
      .waitFor();

    await page.getByRole('button', { name: 'Save' }).click();
    await draft(page).getByText('Saved as Simulated panel (copy) 0.1.1. It is not in use yet.').waitFor();
    await draft(page).getByRole('button', { name: 'Activate' }).click();
    await confirm(page, /Activate Simulated panel \(copy\) 0\.1\.1\?/, 'Activate');
    await inUse(page)
      .getByText(/restart|Trying/)
      .first()
      .waitFor();
    // What is written while the agent is away is kept, and checked when it is back.
    await lineWith(page, /^schema: 1/).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('# Written meanwhile\n');
    await inUse(page).getByText('Simulated panel (copy) 0.1.1 is in use now.').waitFor();
    await draft(page).getByText('No errors found').waitFor();
    expect(await page.locator('.cm-line').allInnerTexts()).toContain('# Written meanwhile');
    const active = await agent.catalog();
    expect([active.active?.id, active.last_known_good?.id, active.activation.state]).toEqual([
      'simulated-copy',
      'simulated-copy',
      'active',
    ]);

    // Reloading asks, and restores the draft.
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await lineWith(page, '# Written meanwhile').waitFor();
    await takeFile(page);
    await page.getByRole('dialog', { name: 'Replace your draft?' }).getByRole('button', { name: 'Replace it' }).click();
    await lineWith(page, 'id: far-away').waitFor();
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  }, 120_000);

  inAll(
    'one that fails is taken back by itself, and a person goes back',
    async () => {
      const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 1280, height: 800 } });
      await page.goto(`${origin}/profiles`);
      await inUse(page).getByText('Simulated panel (copy) 0.1.1').waitFor();
      await takeFile(page);
      await lineWith(page, 'id: far-away').waitFor();
      await draft(page).getByText('It does not list this panel.').waitFor();
      // What was saved just now can be activated although the list on the page does not have it yet.
      let read = (): void => {};
      const held = new Promise<void>((resolve) => (read = resolve));
      let isBehind = true;
      await page.route('**/api/v1/profiles', async (route) => {
        await held;
        if (!isBehind) return route.continue();
        const catalog = await agent.catalog();
        return route.fulfill({ json: { ...catalog, catalog_revision: catalog.catalog_revision - 1 } });
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await draft(page).getByRole('button', { name: 'Activate' }).click();
      read();
      await page.getByRole('dialog', { name: /Activate Panel far away/ }).waitFor();
      // The catalogue counted on after it was shown, and what was agreed to still holds.
      isBehind = false;
      await confirm(page, /Activate Panel far away 2\.0\.0\?/, 'Activate');
      // It is for Android panels, which is asked about on its own.
      const other = page.getByRole('dialog', { name: 'Use a profile for another platform?' });
      await other.waitFor();
      expect(await other.innerText()).toContain('the panel goes back to Simulated panel (copy) 0.1.1.');
      expect((await agent.catalog()).activation.state).toBe('active');
      await other.getByRole('button', { name: 'Activate' }).click();
      await inUse(page)
        .getByText(/Trying Panel far away 2\.0\.0 for \d+ s/)
        .waitFor();
      // It is no simulated panel, and the shell says so without a reload.
      await page.locator('.badge').waitFor({ state: 'hidden' });
      await inUse(page)
        .getByText(/Rolled back/)
        .waitFor({ timeout: 40_000 });
      await inUse(page).getByText('The screen, which worked before, did not answer.').waitFor();
      // The trial is taken back first, and the agent starts again after that.
      await until(
        'the profile before it',
        async () => (await agent.catalog().catch(() => null))?.active?.id === 'simulated-copy',
        20_000,
      );
      const { state, reason } = (await agent.catalog()).activation;
      expect([state, reason]).toEqual(['rolled_back', 'screen-not-proven']);
      await inUse(page).getByText('needs you').waitFor();
      // What may be old is dimmed until the page is live again.
      await page.locator('html:not(.is-cut)').waitFor();
      await page.locator('.badge').waitFor();
      expect(await axe(page)).toEqual([]);

      // A person goes back to what was in use at first.
      await page.getByRole('button', { name: 'Go back to Simulated panel 1.0.0' }).click();
      await confirm(page, /Go back to Simulated panel 1\.0\.0\?/, 'Go back');
      await inUse(page).getByText('Simulated panel 1.0.0 is in use now.').waitFor();
      await until(
        'the bundled revision to be in use',
        async () => (await agent.catalog().catch(() => null))?.active?.id === 'simulated',
      );

      // Who says no changes nothing.
      const before = (await agent.catalog()).catalog_revision;
      await page.getByRole('button', { name: 'Choose automatically' }).click();
      const question = page.getByRole('dialog', { name: 'Choose the profile automatically?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      expect((await agent.catalog()).catalog_revision).toBe(before);

      // An unused profile can be deleted.
      await page.locator('summary', { hasText: 'Panel far away' }).click();
      await page.getByRole('button', { name: 'Delete Panel far away 2.0.0' }).click();
      await page
        .getByRole('dialog', { name: /Delete/ })
        .getByRole('button', { name: 'Delete' })
        .click();
      await until('one revision less', async () =>
        (await agent.catalog()).profiles.every((row) => row.id !== 'far-away'),
      );
      await page.locator('summary', { hasText: 'Panel far away' }).waitFor({ state: 'detached' });
      expect(ownFaults(faults)).toEqual([]);
      await context.close();
    },
    120_000,
  );

  test('on a phone the lines of the editor keep their width, without numbers, and turned over they have both', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/profiles`);
    await page.getByRole('button', { name: 'From this panel' }).click();
    const first = page.locator('.cm-line').first();
    const widthOf = async (part: string): Promise<number> => (await page.locator(part).boundingBox())?.width ?? NaN;
    await first.waitFor();
    expect((await first.boundingBox())?.height).toBeLessThan(30);
    expect(await page.locator('.cm-lineNumbers').count()).toBe(0);
    expect(await widthOf('.cm-content')).toBeGreaterThan(await widthOf('.cm-scroller'));
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator('.cm-lineNumbers').waitFor();
    expect(await widthOf('.cm-content')).toBeLessThan(await widthOf('.cm-scroller'));
    expect(ownFaults(faults)).toEqual([]);
    await context.close();
  });

  test('the editor offers the words that fit, and Tab leaves it', async () => {
    const { page, context, faults } = await openPage(browser, origin, { viewport: { width: 390, height: 844 } });
    await page.goto(`${origin}/profiles`);
    await edit(page, 'Simulated panel 1.0.0', 'Edit a copy');
    await lineWith(page, 'maturity: ').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Backspace');
    await page.keyboard.press('Control+Space');
    const words = page.locator('.cm-tooltip-autocomplete li');
    await words.first().waitFor();
    expect(await words.allInnerTexts()).toEqual(['draft', 'experimental', 'verified']);
    await words.filter({ hasText: 'experimental' }).click();
    await lineWith(page, 'maturity: experimental').waitFor();
    await lineWith(page, /^platform:/).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('\n');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('prov');
    await words.filter({ hasText: 'provisioning' }).waitFor();
    await page.locator('.cm-completionInfo').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.matches('sconce-yaml')")).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
    await context.close();
  });
});
