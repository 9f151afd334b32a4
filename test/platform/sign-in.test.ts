import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { StatusDocument } from '#machines/status.ts';
import { unseenBrowser } from '#test/browser/program.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { amount } from '#test/fakes/amount.ts';
import { HomeClient } from './home-assistant/client.ts';
import { owner, resident } from './home-assistant/onboard.ts';
import { Agent } from './kit/agent.ts';
import { freePort } from './kit/ports.ts';
import { beginSignIn, logIn, outcomeOf, SecondBrowser } from './kit/second-browser.ts';
import { until } from './kit/until.ts';

type SignIn = NonNullable<StatusDocument['sign_in']>;

interface TokenRow {
  readonly id: string;
  readonly client_id: string | null;
  readonly type: string;
  readonly is_current: boolean;
  readonly expire_at: string | null;
}

const pages = [
  '/health',
  '/',
  '/configure',
  '/configure/home-assistant',
  '/sign-in',
  '/api/v1/status',
  '/api/v1/diag',
  '/api/v1/config',
  '/api/v1/config/schema',
  '/api/v1/ha/oauth/status',
  '/api/v1/ha/oauth/qr.svg',
  '/logs',
];

const home = inject('homeAssistant');
let client: HomeClient;
let agent: Agent;
let browser: SecondBrowser;
const secrets = new Set<string>();

beforeAll(async () => {
  client = await HomeClient.open(home.url, home.token);
  agent = await Agent.start();
  browser = await SecondBrowser.start();
});

afterAll(async () => {
  await browser?.stop();
  await agent?.stop();
  client?.close();
});

/** The stored sections; the tokens in them are remembered as what must be nowhere else. */
function stored(): {
  readonly settings: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly rest: string;
} {
  const { sections } = JSON.parse(readFileSync(join(agent.data, 'state.json'), 'utf8')) as {
    sections: Record<string, unknown> & { secrets?: Record<string, string> };
  };
  const { secrets: own = {}, ...rest } = sections;
  const oauth =
    own['ha_oauth'] === undefined ? null : (JSON.parse(own['ha_oauth']) as { readonly refreshToken: string });
  if (oauth !== null) secrets.add(oauth.refreshToken);
  return { settings: JSON.stringify(sections['settings']), secrets: own, rest: JSON.stringify(rest) };
}

async function signIn(what: string, wanted: (signIn: SignIn) => boolean, withinMs = 30_000): Promise<SignIn> {
  let last: SignIn | null = null;
  return until(
    what,
    async () => {
      last = (await agent.status()).sign_in;
      return last !== null && wanted(last) ? last : false;
    },
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${JSON.stringify(last)}`, { cause: error });
  });
}

const isIn = (state: SignIn): boolean =>
  state.phase === 'signed-in' && state.administrator !== null && state.reachable === true;

/** The panel's own credentials as Home Assistant lists them to `as`. */
const panelTokens = async (as: HomeClient): Promise<readonly TokenRow[]> =>
  (await as.call<readonly TokenRow[]>('auth/refresh_tokens')).filter((row) => row.client_id === `${agent.origin}/`);

describe('signing in', () => {
  it('says what it needs, and leads there by one step', async () => {
    expect(await signIn('no address', ({ phase }) => phase === 'no-address')).toMatchObject({ method: null });
    await agent.configure({ ha_url: `${home.url}/lovelace/0` });
    await signIn('it needs a sign-in', ({ phase }) => phase === 'needed');
    const status = await agent.status();
    expect(status.capabilities.find(({ id }) => id === 'sign-in')).toMatchObject({
      state: 'needs_you',
      reason: 'sign-in-needed',
    });
    expect(JSON.parse(await agent.text('/api/v1/config'))).toMatchObject({ ha_url: home.url, ha_token_set: false });
  });

  it('takes a wrong password and then the right one, all in the other browser', async () => {
    const { page, context } = await browser.open();
    await beginSignIn(page, agent.origin);
    await signIn('an attempt is open', ({ phase }) => phase === 'pending');
    await logIn(page, { username: owner.username, password: 'wrong' });
    await page.locator('ha-alert').first().waitFor();
    await logIn(page, owner);
    expect(await outcomeOf(page)).toBe('signed-in');
    expect(new URL(page.url()).search).toBe('');
    await page.locator('[data-name]', { hasText: 'Signed in as Owner' }).waitFor();
    await context.close();
    expect(await signIn('it is signed in', isIn)).toMatchObject({
      method: 'oauth',
      administrator: true,
      last_outcome: 'signed-in',
      attempt_until: null,
    });
    expect(JSON.parse(await agent.text('/api/v1/ha/oauth/status'))).toEqual({
      phase: 'signed-in',
      display_name: owner.name,
      administrator: true,
    });
    expect(stored().secrets['ha_oauth']).toBeDefined();
  });

  it('lifts the expiry of a panel that idles', async () => {
    await until('the credential does not expire', async () => {
      const tokens = await panelTokens(client);
      return tokens.length === 1 && tokens[0]?.expire_at === null;
    });
  });

  it('serves no-store and no-referrer, and no second use of a callback', async () => {
    const { page, context } = await browser.open();
    const callbacks: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/oauth/callback')) callbacks.push(request.url());
    });
    await beginSignIn(page, agent.origin);
    await logIn(page, owner);
    expect(await outcomeOf(page)).toBe('signed-in');
    await context.close();
    const again = await fetch(callbacks[0] ?? '');
    expect(again.status).toBe(400);
    expect(again.headers.get('cache-control')).toBe('no-store');
    expect(again.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await again.text()).toContain('outcome-invalid');
    await until('the replaced credential is revoked', async () => (await panelTokens(client)).length === 1);
    stored();
  });

  it('takes the newest attempt alone, a cancelled one not at all, and none at another address', async () => {
    const { page, context } = await browser.open();
    await beginSignIn(page, agent.origin);
    const { text } = await agent.post('/api/v1/ha/oauth/start', {});
    const newer = new URL((JSON.parse(text) as { readonly authorization_url: string }).authorization_url);
    await logIn(page, resident);
    expect(await outcomeOf(page)).toBe('invalid');
    await page.goto(
      `${agent.origin}/api/v1/ha/oauth/callback?state=${newer.searchParams.get('state')}&error=access_denied`,
    );
    expect(await outcomeOf(page)).toBe('cancelled');
    const third = new URL(
      (JSON.parse((await agent.post('/api/v1/ha/oauth/start', {})).text) as { readonly authorization_url: string })
        .authorization_url,
    );
    await page.goto(
      `http://localhost:${agent.port}/api/v1/ha/oauth/callback?state=${third.searchParams.get('state')}&code=x`,
    );
    expect(await outcomeOf(page)).toBe('wrong-origin');
    const fourth = new URL(
      (JSON.parse((await agent.post('/api/v1/ha/oauth/start', {})).text) as { readonly authorization_url: string })
        .authorization_url,
    );
    await page.goto(`${agent.origin}/api/v1/ha/oauth/callback?state=${fourth.searchParams.get('state')}&code=made-up`);
    expect(await outcomeOf(page)).toBe('rejected');
    await context.close();
    expect(await signIn('it stayed signed in', isIn)).toMatchObject({ administrator: true });
  });

  it('leads the browser on the panel itself there, and no other', async () => {
    const here = await fetch(`${agent.origin}/api/v1/ha/oauth/panel-start`, { redirect: 'manual' });
    expect(here.status).toBe(302);
    expect(here.headers.get('location')).toContain(`${home.url}/auth/authorize?`);
    expect(here.headers.get('location')).toContain(`client_id=${encodeURIComponent(`${agent.origin}/`)}`);
    expect(here.headers.get('cache-control')).toBe('no-store');
  });
});

describe('staying signed in', () => {
  it('outlives a killed agent', async () => {
    await agent.kill();
    await agent.startAgain();
    expect(await signIn('it is signed in again', isIn)).toMatchObject({ method: 'oauth', administrator: true });
  });

  it('reads the dashboards over a connection of a moment', async () => {
    expect(JSON.parse(await agent.text('/api/v1/config/home-dashboards'))).toMatchObject({
      queried: true,
      items: expect.arrayContaining([{ path: '/lovelace', title: expect.any(String) }]),
    });
    expect((await agent.status()).home_assistant).toMatchObject({ connection: 'closed', reasons: [] });
  });

  it('says so at the next connection when the credential is revoked', async () => {
    const [token] = await panelTokens(client);
    await client.call('auth/delete_refresh_token', { refresh_token_id: token?.id });
    // Nothing of this panel needs a connection to Home Assistant: the next one that does is refused.
    expect(JSON.parse(await agent.text('/api/v1/config/home-dashboards'))).toMatchObject({ queried: false });
    await signIn('it is refused', ({ phase }) => phase === 'refused', 10_000);
    expect((await agent.status()).capabilities.find(({ id }) => id === 'sign-in')).toMatchObject({
      state: 'needs_you',
      reason: 'sign-in-refused',
    });
    const { page, context } = await browser.open();
    await page.goto(`${agent.origin}/sign-in`);
    await page.locator('[data-detail]', { hasText: 'revoked' }).waitFor();
    await context.close();
  });

  it('takes somebody who is no administrator', async () => {
    expect(await browser.signIn(agent.origin, resident)).toBe('signed-in');
    expect(await signIn('it is signed in', isIn)).toMatchObject({ administrator: false });
    expect(JSON.parse(await agent.text('/api/v1/ha/oauth/status'))).toMatchObject({ display_name: resident.name });
    stored();
  });

  it('forgets the sign-in when the address is another one', async () => {
    const { refreshToken, clientId } = JSON.parse(stored().secrets['ha_oauth'] ?? '{}') as {
      readonly refreshToken: string;
      readonly clientId: string;
    };
    await agent.configure({ ha_url: `http://127.0.0.1:${await freePort()}` });
    await signIn('it needs a sign-in', ({ phase }) => phase === 'needed');
    await until('the old Home Assistant has revoked it', async () => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
      });
      return (await fetch(`${home.url}/auth/token`, { method: 'POST', body })).status === 400;
    });
    expect(stored().secrets['ha_oauth']).toBeUndefined();
    await agent.configure({ ha_url: home.url });
    expect(await signIn('it still needs one', ({ phase }) => phase === 'needed')).toMatchObject({ method: null });
  });

  it('takes a long-lived token, and signs out', async () => {
    const token = await client.call<string>('auth/long_lived_access_token', { client_name: 'panel', lifespan: 365 });
    secrets.add(token);
    await agent.configure({ ha_token: token });
    expect(await signIn('it is signed in', isIn)).toMatchObject({ method: 'long-lived', administrator: true });
    const { page, context } = await browser.open();
    await page.goto(`${agent.origin}/sign-in`);
    await page.locator('#sign-out summary').click();
    await page.locator('[data-sign-out]').click();
    await page.locator('[data-begin]').waitFor();
    await context.close();
    await signIn('it is signed out', ({ phase }) => phase === 'needed');
    expect(stored().secrets).toEqual({});
    await agent.configure({ ha_token: `${token.slice(0, -3)}abc` });
    await signIn('a wrong token is refused', ({ phase, method }) => phase === 'refused' && method === 'long-lived');
  });

  it('leaves no token in any answer, page or log, nor in the store outside its secrets', async () => {
    expect(secrets.size).toBeGreaterThanOrEqual(3);
    const seen = [agent.output, stored().rest, ...(await Promise.all(pages.map((path) => agent.text(path))))];
    for (const secret of secrets)
      for (const [index, text] of seen.entries()) expect(text.includes(secret), `text ${index}`).toBe(false);
    expect(seen.join('\n')).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\./);
  });
});

/** In `bin/test all` alone: what is drawn there is looked at without Home Assistant, too (`test/browser`). */
const onItsScreen = amount<(name: string, run: () => void) => void>(() => {}, describe.skipIf(noBrowser));
onItsScreen('on the screen of the panel itself', () => {
  let kiosk: Agent;
  beforeAll(async () => {
    kiosk = await Agent.start({ args: ['--renderer', 'headless', '--ha-url', home.url], env: unseenBrowser() });
    await until(
      'the offline page',
      async () => {
        const { renderer } = await kiosk.status();
        return renderer?.glass === 'sign-in' && renderer.place === 'own';
      },
      60_000,
    );
  }, 90_000);
  afterAll(() => kiosk?.stop());

  const tap = (x: number, y: number) => kiosk.post('/api/v1/input', { x: Math.round(x), y: Math.round(y) });
  const plug = (plugged: boolean) => kiosk.post('/api/v1/simulator', { plug: 'keyboard', plugged });

  it('shows the code alone without a keyboard, and leads to the login and back with one', async () => {
    // The same page in the same size as on the screen, redrawn by itself when a keyboard comes and goes.
    const { page, context } = await browser.open();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${kiosk.origin}/glass?on=glass`);
    const here = page.getByRole('link', { name: 'Sign in here' });
    const words = page.getByText('plug in a keyboard');
    await words.waitFor();
    await page.getByAltText('QR code').waitFor();
    expect(await here.count()).toBe(0);
    await plug(true);
    await here.waitFor();
    expect(await words.count()).toBe(0);

    const box = (await here.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await until(
      'the login is on the screen',
      async () => {
        const { renderer, sign_in: state } = await kiosk.status();
        if (renderer?.place === 'login' && state?.phase === 'pending') return true;
        // The page on the screen may not have its button yet.
        if (renderer?.place === 'own') await tap(box.x + box.width / 2, box.y + box.height / 2);
        return false;
      },
      60_000,
    );
    // Drawn over Home Assistant's own page, in its upper left corner.
    await until('the way back is taken', async () => {
      await tap(60, 40);
      return (await kiosk.status()).renderer?.place === 'own';
    });
    await until('the attempt is over', async () => (await kiosk.status()).sign_in?.phase === 'needed');
    expect((await kiosk.status()).sign_in).toMatchObject({ attempt_until: null, last_outcome: null });
    expect((await kiosk.status()).renderer).toMatchObject({ place: 'own', glass: 'sign-in' });

    await plug(false);
    await words.waitFor();
    expect(await here.count()).toBe(0);
    await context.close();
  });
});
