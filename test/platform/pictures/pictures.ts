import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromiumArguments, chromiumForPages } from '#test/browser/program.ts';
import { HomeClient } from '../home-assistant/client.ts';
import { owner, resident } from '../home-assistant/onboard.ts';
import { agree, join as joinHome, panelCalled } from '../kit/panel.ts';
import { logIn, SecondBrowser } from '../kit/second-browser.ts';
import { until } from '../kit/until.ts';
import { Wall } from '../kit/wall.ts';
import { dashboard } from './dashboard.ts';

const folder = fileURLToPath(new URL('../../../ui/readme/', import.meta.url));
/** Largest picture, in bytes: a page of the READMEs loads all of its pictures. */
const mostBytes = 150_000;

const home = inject('homeAssistant');
const panel = panelCalled('hall', 'Hall');
let scratch: string;
let client: HomeClient;
let wall: Wall;
let phone: SecondBrowser;
let browser: Browser;

/** Writes a picture with 256 colours, which is a third of the size. */
function keep(name: string, png: Buffer): void {
  const raw = join(scratch, `${name}.png`);
  const kept = join(folder, `${name}.png`);
  writeFileSync(raw, png);
  const palette = 'split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none';
  const options = ['-v', 'error', '-y', '-i', raw, '-vf', palette, '-frames:v', '1', '-update', '1', kept];
  execFileSync('ffmpeg', options);
  const size = Number(execFileSync('stat', ['-c', '%s', kept], { encoding: 'utf8' }));
  console.log(`${name}.png: ${Math.round(size / 1000)} kB`);
  expect(size).toBeLessThan(mostBytes);
}

/** Waits until the page has looked the same for a second. */
async function still(page: Page): Promise<Buffer> {
  let last: Buffer | undefined;
  return until('the page is still', async () => {
    const before = last;
    last = await page.screenshot({ animations: 'disabled' });
    await page.waitForTimeout(1000);
    return before?.equals(last) === true ? last : undefined;
  });
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sconce-pictures-'));
  mkdirSync(folder, { recursive: true });
  client = await HomeClient.open(home.url, home.token);
  await client.call('lovelace/dashboards/create', {
    url_path: 'hall-panel',
    title: 'Hall',
    mode: 'storage',
    require_admin: false,
    show_in_sidebar: true,
  });
  await client.call('lovelace/config/save', { url_path: 'hall-panel', config: dashboard });
  [wall, phone] = await Promise.all([Wall.start(), SecondBrowser.start()]);
  browser = await chromium.launch({ executablePath: chromiumForPages, args: [...chromiumArguments] });
  await joinHome(wall.agent, panel, home.brokerPort);
  await agree(await client.states(), wall.agent, panel);
  await client.act('light.turn_on', panel.entity.screen, { brightness: 204 });
  await client.act('number.set_value', panel.entity.volume, { value: 40 });
});

afterAll(async () => {
  await browser?.close();
  await phone?.stop();
  await wall?.stop();
  client?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('the pictures of the READMEs', () => {
  it('the sign-in on a phone', async () => {
    await wall.agent.configure({ ha_url: home.url });
    const page = await browser.newPage({ viewport: { width: 390, height: 575 }, colorScheme: 'dark' });
    await page.goto(`${wall.agent.origin}/sign-in`);
    keep('sign-in', await still(page));
    await page.close();
  });

  it('the dashboard on a wall', async () => {
    await wall.agent.configure({ home_dashboard: '/hall-panel/hall', dashboard_theme: 'dark' });
    expect(await phone.signIn(wall.agent.origin, resident)).toBe('signed-in');
    await wall.showing();
    // What it draws and loads after it has a state is not told: a picture that does not change any more is the end.
    let last: Buffer | undefined;
    const png = await until('the picture is still', async () => {
      const before = last;
      last = await wall.agent.bytes('/api/v1/screenshot.png');
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return before?.equals(last) === true ? last : undefined;
    });
    keep('wall', png);
  });

  it("the panel's page", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
    await page.goto(`${wall.agent.origin}/`);
    keep('panel-page', await still(page));
    await page.close();
  });

  it('the device in Home Assistant', async () => {
    const [device] = await client.devices(`sconce_${panel.id}`);
    const page = await browser.newPage({ viewport: { width: 860, height: 860 }, colorScheme: 'light' });
    await page.goto(`${home.url}/config/devices/device/${device?.id}`);
    await logIn(page, owner);
    await page.locator('ha-device-entities-card').first().waitFor();
    keep('device', await still(page));
    await page.close();
  });
});
