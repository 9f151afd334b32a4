import { z } from 'zod';
import type { Context } from 'hono';
import type { CallbackOutcome, StartOutcome } from '#machines/sign-in/events.ts';
import { foreseeRefusal, isLoopback, panelOrigin } from '#machines/sign-in/panel-origin.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json, made, text } from '#routes/kit/answer.ts';
import { forgetSetup, isFromSetup } from '#routes/kit/from-setup.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { type ConfigNeed, configNeed } from '#routes/kit/config-protects.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { isOnDevice, pageOf } from '#routes/kit/on-device.tsx';
import { originOf, portOf, reachableOrigin } from '#routes/kit/panel-address.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { hostOf, isFromPanel } from '#routes/kit/raw-request.ts';
import { isSetupOpen } from '#routes/kit/setup-open.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { SignInPage } from '#ui/pages/sign-in-page.tsx';
import { pathsByPhone } from '#ui/parts/page-by-phone.ts';
import { operationBusy } from '#routes/kit/operation-busy.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** Drawn only for a panel that a phone signs in. */
const qrCodes = chunk(() => import('./qr-code.ts'));

/** The address of a callback holds a code: it is not cached, and no other site learns it. */
const secretive = { ...noStore, 'Referrer-Policy': 'no-referrer' };
const secretiveDoc = { 'Referrer-Policy': 'Always `no-referrer`.' };

/** How long a start may take, in milliseconds: it probes the address for 3 s, and may save it, 20 s at most. */
const startMs = 25_000;
/** How long a callback may take, in milliseconds: an exchange of ten seconds, and a save. */
const callbackMs = 32_000;

const Started = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It has begun.' }),
      authorization_url: z.string().meta({ description: 'The login page of Home Assistant.' }),
      expires_at: z.int().meta({ description: 'When it expires, in milliseconds since the Unix epoch.' }),
    })
    .meta({ id: 'SignInStarted', description: 'Where the person signs in, and until when.' }),
);

const SignInStatus = once(() =>
  z
    .object({
      phase: z.enum(['no-address', 'needed', 'pending', 'signed-in', 'refused']).meta({
        description: '`pending`: a login page was opened; `refused`: Home Assistant rejected the credential.',
      }),
      display_name: z.string().optional().meta({ description: 'The signed-in user as Home Assistant shows them.' }),
      administrator: z
        .boolean()
        .optional()
        .meta({ description: 'True if that user is an administrator; absent while unknown.' }),
    })
    .meta({ id: 'SignInStatus', description: 'The state of the sign-in.' }),
);

const SignedOut = once(() =>
  z.object({ ok: z.literal(true).meta({ description: 'It is done.' }) }).meta({
    id: 'SignedOut',
    description: 'The credential is forgotten here and, if Home Assistant can be reached, revoked there.',
  }),
);

const badOrigin =
  'This request came to an address that a sign-in cannot return to. Open the panel by its name or its network address.';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const addressOf = (deps: RouteDeps): string => textOf(deps.registry.read('settings')?.context.values['ha_url']);

function obstacleOf(c: Context<Env>, deps: RouteDeps): string | null {
  const origin = originOf(c, deps);
  const address = addressOf(deps);
  if (origin === null) return badOrigin;
  return address === '' ? null : (foreseeRefusal(origin, address)?.message ?? null);
}

/** The page of the sign-in, on its own or as the outcome of an attempt. */
export function signInPage(
  c: Context<Env>,
  deps: RouteDeps,
  outcome: CallbackOutcome | null,
): Response | Promise<Response> {
  const signIn = deps.registry.read('sign-in');
  const name = signIn?.context.displayName ?? null;
  const page = (
    <SignInPage
      status={readStatus(deps)}
      address={addressOf(deps)}
      name={name}
      obstacle={obstacleOf(c, deps)}
      outcome={outcome}
      isSetUp={!isSetupOpen(deps)}
    />
  );
  const isFine = outcome === null || outcome === 'signed-in' || outcome === 'cancelled';
  return pageOf(c, deps, page, isFine ? 200 : 400, outcome === null ? noStore : secretive);
}

async function begin(
  c: Context<Env>,
  deps: RouteDeps,
  haUrl: string | null,
): Promise<StartOutcome | Refusal<'bad-origin' | 'restarting'>> {
  const origin = panelOrigin(hostOf(c), portOf(deps));
  if (!origin.ok) return refuse('bad-origin', badOrigin);
  const asked = await deps.registry.ask(
    'sign-in',
    { type: 'sign-in.start', panelOrigin: origin.value, haUrl, onDevice: isOnDevice(c), now: deps.now() },
    startMs,
  );
  return asked.ok ? asked.value : restarting('sign-in');
}

interface SentStart {
  readonly body: { readonly ha_url?: string | undefined };
}

/** What a sign-in at another address asks for: that address is saved, and its page comes to the screen. */
function addressNeed({ registry }: RouteDeps, address: string | undefined): ConfigNeed['request'] {
  const url = address?.trim() ?? '';
  return url === '' ? null : configNeed({ ha_url: url }, registry.read('settings')?.context.values ?? {}).request;
}

export const signInRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'startSignIn',
      method: 'post',
      path: '/api/v1/ha/oauth/start',
      tag: 'sign-in',
      summary: 'Begin a sign-in to Home Assistant',
      description:
        'Answers with a link to Home Assistant’s own login page, to open or to copy. It comes back to the address of this request within ten minutes; a newer start replaces it. No answer ever contains a token. The panel probes the address first, for at most 3 s: if it finds no Home Assistant, it answers 400 `bad-address` and changes nothing. Otherwise it saves `ha_url` if that differs.',
      guard: 'write',
      protects: ({ body }: SentStart) => addressNeed(deps, body.ha_url),
      operations: ['DISPLAY_CONFIGURATION'],
      maxBodyBytes: 16_384,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'The address of Home Assistant, to use another one.',
        schema: z.strictObject({
          ha_url: z.string().optional().meta({ description: 'Such as `http://homeassistant.local:8123`.' }),
        }),
        refusal: { code: 'invalid-body' },
        example: { ha_url: 'http://homeassistant.local:8123' },
      }),
      answers: () => ({
        200: json('Begun.', Started(), {
          example: {
            ok: true,
            authorization_url:
              'http://homeassistant.local:8123/auth/authorize?response_type=code&client_id=http%3A%2F%2F192.0.2.7%3A8888%2F&redirect_uri=http%3A%2F%2F192.0.2.7%3A8888%2Fapi%2Fv1%2Fha%2Foauth%2Fcallback&state=example',
            expires_at: 1_795_352_777_000,
          },
        }),
      }),
      problems: [
        'no-address',
        'bad-address',
        'bad-origin',
        'origin-refused-by-platform',
        'address-loops-back',
        'probe-replaced',
        'operation-busy',
        'commit-failed',
        'restarting',
        'stopping',
      ],
    },
    async ({ c, body, answer }) => {
      const address = body.ha_url?.trim() ?? '';
      const begun = await begin(c, deps, address === '' ? null : address);
      if ('ok' in begun) return begun;
      if (begun.status === 'refused') return refuse(begun.code, begun.message);
      return answer(200, { ok: true, authorization_url: begun.authorizationUrl, expires_at: begun.expiresAt });
    },
  );
  declare(
    {
      operationId: 'finishSignIn',
      method: 'get',
      path: '/api/v1/ha/oauth/callback',
      tag: 'sign-in',
      summary: 'Where Home Assistant sends the person back',
      description:
        'Takes the one-use code of the newest attempt, once, at the address that began it, and answers with a page that shows the result. A callback at another address, or without a code, is refused and leaves the attempt open. A browser that began on `/setup` (its cookie `sconce_setup` says so) is led back there after a sign-in. The panel itself exchanges the code.',
      guard: 'ordinary',
      secretive: true,
      protects: null,
      maxBodyBytes: 0,
      // Home Assistant adds its own parameters, such as `storeToken`.
      query: () =>
        z.looseObject({
          state: z.string().optional().meta({ description: 'The value from the start.' }),
          code: z.string().optional().meta({ description: 'The one-use code.' }),
          error: z.string().optional().meta({ description: 'Why there is no code.' }),
        }),
      answers: () => ({
        200: made('Signed in, or cancelled.', 'text/html', { headers: secretiveDoc }),
        302: text('Signed in, and back to the setup if this browser began there.', {
          headers: {
            ...secretiveDoc,
            Location: 'Always `/setup`.',
            'Set-Cookie': 'Takes back `sconce_setup`.',
          },
        }),
        400: made('Not signed in; the page says why.', 'text/html', { headers: secretiveDoc }),
      }),
      problems: ['restarting'],
    },
    async ({ c, query, answer }) => {
      const origin = originOf(c, deps);
      if (deps.registry.read('sign-in') === undefined) return restarting('sign-in');
      const asked = await deps.registry.ask(
        'sign-in',
        {
          type: 'sign-in.callback',
          state: query.state ?? '',
          code: query.code ?? null,
          error: query.error ?? null,
          panelOrigin: origin ?? '',
          now: deps.now(),
        },
        callbackMs,
      );
      if (asked.ok && asked.value.outcome === 'signed-in' && isFromSetup(c))
        return answer(302, '', { 'Referrer-Policy': 'no-referrer', Location: '/setup', 'Set-Cookie': forgetSetup });
      const page = await signInPage(c, deps, asked.ok ? asked.value.outcome : 'unreachable');
      return answer(page.status === 200 ? 200 : 400, page, { 'Referrer-Policy': 'no-referrer' });
    },
  );
  declare(
    {
      operationId: 'startSignInOnPanel',
      method: 'get',
      path: '/api/v1/ha/oauth/panel-start',
      tag: 'sign-in',
      summary: 'Begin a sign-in in the browser on the panel itself',
      description:
        'Leads the panel’s own browser, and no other, to Home Assistant’s login page. If the panel finds no Home Assistant at the address, it leads to `/sign-in`, which says so.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      admit: unlessStopping(deps),
      answers: () => ({
        302: text('To the login page of Home Assistant.', {
          headers: { ...secretiveDoc, Location: 'The login page, or `/sign-in`.' },
        }),
      }),
      problems: [
        'not-on-the-panel',
        'no-address',
        'bad-address',
        'bad-origin',
        'origin-refused-by-platform',
        'address-loops-back',
        'probe-replaced',
        'operation-busy',
        'commit-failed',
        'restarting',
        'stopping',
      ],
    },
    async ({ c, answer }) => {
      if (deps.registry.read('sign-in') === undefined) return restarting('sign-in');
      const origin = originOf(c, deps);
      if (!isFromPanel(c) || origin === null || !isLoopback(origin)) {
        return refuse(
          'not-on-the-panel',
          'This begins a sign-in on the panel itself. Elsewhere, open /sign-in instead.',
        );
      }
      const begun = await begin(c, deps, null);
      if ('ok' in begun) return begun;
      // A person opened this page: the sign-in page says why, and tries again by itself.
      if (begun.status === 'refused' && begun.code === 'bad-address')
        return answer(302, '', { 'Referrer-Policy': 'no-referrer', Location: '/sign-in' });
      if (begun.status === 'refused') return refuse(begun.code, begun.message);
      return answer(302, '', { 'Referrer-Policy': 'no-referrer', Location: begun.authorizationUrl });
    },
  );
  declare(
    {
      operationId: 'getSignIn',
      method: 'get',
      path: '/api/v1/ha/oauth/status',
      tag: 'sign-in',
      summary: 'The state of the sign-in, and who is signed in',
      description: 'The name is as Home Assistant shows it; it is absent while no one is signed in.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The sign-in.', SignInStatus(), {
          example: { phase: 'signed-in', display_name: 'Hall panel', administrator: false },
        }),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const signIn = deps.registry.read('sign-in')?.context;
      if (signIn === undefined) return restarting('sign-in');
      const { phase, displayName, administrator } = signIn;
      return answer(200, {
        phase,
        ...(displayName !== null && { display_name: displayName }),
        ...(administrator !== null && { administrator }),
      });
    },
  );
  declare(
    {
      operationId: 'signOut',
      method: 'post',
      path: '/api/v1/ha/oauth/sign-out',
      tag: 'sign-in',
      summary: 'Sign out of Home Assistant',
      description: 'Forgets the credential, and revokes it in Home Assistant if that can be reached.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      answers: () => ({
        200: json('Signed out.', SignedOut(), { example: { ok: true } }),
      }),
      problems: ['operation-busy', 'commit-failed', 'restarting', 'stopping'],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask('sign-in', { type: 'sign-in.sign-out' }, startMs);
      if (!asked.ok) return restarting('sign-in');
      if (asked.value.status === 'busy') return operationBusy(deps);
      if (asked.value.status === 'commit-failed')
        return refuse(
          'commit-failed',
          'Still signed in: the change could not be written to disk. Free or repair the disk and try again.',
        );
      return answer(200, { ok: true });
    },
  );
  declare(
    {
      operationId: 'getSignInCode',
      method: 'get',
      path: '/api/v1/ha/oauth/qr.svg',
      tag: 'sign-in',
      summary: 'A code to scan that leads to a page of the panel',
      description: 'An SVG with the address at which a phone on this network opens `/sign-in`, `/setup` or `/`.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: () =>
        z.strictObject({
          page: z
            .enum(['sign-in', 'setup', 'status'])
            .default('sign-in')
            .meta({ description: 'The page that it leads to; `status` is `/`.' }),
        }),
      answers: () => ({
        200: text('The code as a picture.', { type: 'image/svg+xml' }),
      }),
      problems: ['not-here', 'restarting'],
    },
    async ({ c, query, answer }) => {
      if (deps.registry.read('readings') === undefined) return restarting('readings');
      const origin = reachableOrigin(c, deps);
      if (origin === null)
        return refuse(
          'not-here',
          'This panel has no address on a network yet, so no phone can reach it. Connect it and try again.',
        );
      const { qrCode } = await qrCodes();
      return answer(200, qrCode(`${origin}${pathsByPhone[query.page]}`));
    },
  );
};
