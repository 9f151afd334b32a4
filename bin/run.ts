import { chunk } from '#machines/kit/chunk.ts';
import { type TrialTimes, trialTimes } from '#machines/profile-catalog/health.ts';
import { panelSlug } from '#machines/kit/panel-slug.ts';
import { progressOf } from '#machines/setup/progress.ts';
import { secretKeys } from '#machines/settings/redact.ts';
import { until } from '#actors/kit/until.ts';
import { prepareFolder } from '#drivers/store/folder.ts';
import { lockFolder } from '#drivers/store/lock.ts';
import { createLogger } from '#drivers/log/logger.ts';
import { armTrialWatch } from '#drivers/profiles/trial-watch.ts';
import { createAgent } from './agent.ts';
import type { Agent, AgentOptions } from './agent-options.ts';
import type { RunOptions } from './arguments.ts';
import { openAssets } from './assets.ts';
import { assetPack, readBuild, readBundles, relightScript, responderProgram } from './build-facts.ts';
import { type HandedOver, readCredentials, takenOnce } from './credentials.ts';
import { type LeftGiven, takeGiven } from './given.ts';
import { dieOnBugs, FailureStatus, obeySignals, restart, shutdownMs } from './endings.ts';
import { openLogStoreIn } from './open-log-store.ts';
import { bootProfile } from './profile-boot.ts';
import { reachableAddress } from './reachable-address.ts';
import { finishReset } from './reset-at-start.ts';
import { finishRestore } from './restore-at-start.ts';
import { isRootShell } from './root-shell.ts';
import { understood } from './understood.ts';
import { defaultStreamPort } from './usage.ts';

const banners = chunk(() => import('./banner.ts'));

function fail(message: string): void {
  process.stderr.write(`sconce: ${message}\n`);
  process.exitCode = 1;
}

/** Waits for the listener; resolves to the code of why it does not listen, null if it does. */
async function firstListen({ registry }: Agent): Promise<string | null> {
  const http = await until(registry, 'http', ({ context }) => context.port > 0 || context.failure !== null, null);
  return http.ok && http.value.context.port <= 0 ? http.value.context.failure : null;
}

function whyNotListening(code: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `port ${port} is taken. Another agent runs there, or another program; choose another with --port.`;
  if (code === 'EACCES') return `port ${port} is not allowed for this user. Choose one above 1023 with --port.`;
  return `port ${port} cannot be listened on (${code}).`;
}

/** How long a starting agent may take to know if the panel is set up before its address is printed, in milliseconds. */
const setupMs = 2000;

/** Prints the address to open: that of the setup until the panel is set up. */
async function greet(agent: Agent, url: string): Promise<void> {
  if (!process.stdout.isTTY) return;
  const known = await until(
    agent.registry,
    'setup',
    ({ context: { steps } }) =>
      steps.length > 0 && !steps.some(({ blocking, status }) => blocking && status === 'checking'),
    setupMs,
  );
  const isDue = known.ok && progressOf(known.value.context).due;
  const { banner } = await banners();
  process.stdout.write(banner(url, isDue, (await agent.status()).sentence));
}

/**
 * Times of a trial from the environment, for tests that cannot wait for a minute: hold, deadline and answer in
 * milliseconds.
 */
function trialTimesOf(text: string | undefined): TrialTimes {
  const [holdMs, deadlineMs, answerMs] = /^\d{1,5},\d{1,5},\d{1,5}$/.test(text ?? '')
    ? (text ?? '').split(',').map(Number)
    : [];
  return {
    holdMs: holdMs ?? trialTimes.holdMs,
    deadlineMs: deadlineMs ?? trialTimes.deadlineMs,
    answerMs: answerMs ?? trialTimes.answerMs,
  };
}

/** Port of the camera's stream from the environment, for tests with several agents on one machine; 0: a free one. */
const streamPortOf = (text: string | undefined): number =>
  /^\d{1,5}$/.test(text ?? '') && Number(text) <= 65_535 ? Number(text) : defaultStreamPort;

/** What this panel is given: what an installation left for it, with the command line taking precedence. */
function provisioningOf(
  options: RunOptions,
  { credentials, takeLogin, open }: HandedOver,
  left: LeftGiven,
): Pick<AgentOptions, 'settings' | 'credentials' | 'takeLogin' | 'openFiles' | 'onProvisioned' | 'onSignedIn'> {
  const values = { ...left.settings, ...options.settings, ...credentials };
  const isSecret = ([key]: readonly [string, string]): boolean => secretKeys.has(key);
  return {
    settings: Object.fromEntries(Object.entries(values).filter((entry) => !isSecret(entry))),
    credentials: Object.fromEntries(Object.entries(values).filter(isSecret)),
    takeLogin: options.haLogin === null ? takenOnce(left.login) : takeLogin,
    openFiles: open,
    onProvisioned: left.settingsTaken,
    onSignedIn: left.signedIn,
  };
}

/**
 * Says on the error output how the command line was understood, once the panel has it: by then the id is known that a
 * new panel makes of its name. The log holds no addresses.
 */
function echo(agent: Agent, { settings }: Pick<RunOptions, 'settings'>): void {
  const name = settings['friendly_name'];
  const id = agent.registry.read('settings')?.context.values['panel_id'];
  const isMade = name !== undefined && id !== '' && id === panelSlug(name);
  const sentence = understood({ ...(isMade && { panel_id: id }), ...settings });
  if (sentence !== null) process.stderr.write(`sconce: ${sentence}\n`);
}

/** The assets of the pages; null if their file is missing or damaged. */
function assetsOf(file: string): ReturnType<typeof openAssets> | null {
  try {
    return openAssets(file);
  } catch {
    return null;
  }
}

/** Runs the agent in the foreground until it is asked to stop. */
export async function run(options: RunOptions): Promise<void> {
  const handedOver = readCredentials(options);
  if (!handedOver.ok) return fail(handedOver.message);
  const folder = prepareFolder({ argument: options.data, env: process.env });
  if (!folder.ok) return fail(folder.message);
  const assets = assetsOf(assetPack);
  if (assets === null)
    return fail(`${assetPack} is missing or damaged. Build it again with "npm run build", or install Sconce again.`);
  const lock = await lockFolder(folder.value);
  if (!lock.ok) return fail(lock.message);

  const log = createLogger({ level: 'info', secretKeys: [...secretKeys] });
  const logStore = openLogStoreIn(folder.value, log);
  // Its last lines are kept however the process exits.
  process.on('exit', logStore.close);
  const failing = new FailureStatus();
  dieOnBugs(log, failing);
  const restored = await finishRestore(folder.value);
  if (restored?.failure === null) log.info('A backup was restored.');
  else if (restored !== null) log.error('The restore of a backup was not carried out.', { ...restored.failure });
  const wiped = await finishReset(folder.value);
  if (wiped !== null && wiped.failure === null) log.info('The panel was reset.', { scope: wiped.scope });
  if (wiped?.failure != null) log.error('The disk refused a reset. The next start tries again.', { ...wiped });
  const given = provisioningOf(options, handedOver.value, takeGiven(folder.value, log));
  for (const credential of Object.values(given.credentials)) log.protect(credential);
  for (const option of handedOver.value.open)
    log.warn('The file of an option can be read by others. Give it mode 600.', { option });
  const times = trialTimesOf(process.env['SCONCE_TRIAL_MS']);
  const { profile, why, boot, trial } = bootProfile({
    folder: folder.value,
    asked: options.profile,
    preferred: options.defaultProfile,
    now: Date.now,
  });
  // A start that hangs blocks the event loop: it is watched from outside, a little longer than the agent itself
  // watches.
  const watch = trial ? armTrialWatch(times.deadlineMs + shutdownMs) : null;
  failing.duringTrial(trial);
  const agent = createAgent({
    folder: folder.value,
    port: options.port,
    streamPort: streamPortOf(process.env['SCONCE_STREAM_PORT']),
    profile,
    log,
    logStore,
    ...readBuild(),
    assets,
    bundles: readBundles(),
    ...given,
    onProvisioned: () => {
      given.onProvisioned?.();
      echo(agent, options);
    },
    relight: relightScript,
    responder: options.discovery ? responderProgram() : null,
    renderer: options.renderer,
    inspect: options.inspect,
    rootShell: isRootShell(),
    verifyAnswers: process.env['SCONCE_VERIFY_ANSWERS'] === '1',
    boot,
    askedProfile: options.profile,
    comesBack: [
      ...new Set([
        ...Object.keys(options.settings),
        ...(panelSlug(options.settings['friendly_name'] ?? '') === '' ? [] : ['panel_id']),
        ...Object.keys(handedOver.value.credentials),
        ...(options.haLogin === null ? [] : ['ha_url', 'ha_oauth']),
      ]),
    ],
    resetFailure: wiped?.failure ?? null,
    restoreFailure: restored?.failure ?? null,
    defaultProfile: options.defaultProfile,
    trialTimes: times,
    // For tests with several machines on one.
    machineRoot: process.env['SCONCE_MACHINE_ROOT'] ?? '/',
    onRestartDue: (reason) => restart(agent, log, reason),
    onTrialOver: () => {
      watch?.disarm();
      failing.duringTrial(false);
    },
  });
  agent.registry.follow('http', (snapshot): number => snapshot?.context.port ?? 0, lock.value.notePort);
  obeySignals(agent, log);
  void agent.ended.then((outcome) => {
    if (outcome.ended === 'failed') {
      log.fatal('The agent gave up, since its parts kept failing.', { reason: outcome.reason });
      process.exit(failing.now);
    }
  });
  agent.start();

  const failure = await firstListen(agent);
  if (failure !== null) {
    log.fatal('The agent cannot listen on its port and ends.', { code: failure, port: options.port });
    await agent.shutdown();
    fail(whyNotListening(failure, options.port));
    process.exit(failing.now);
  }
  const url = `http://${reachableAddress()}:${options.port}/`;
  log.ready({ profile: profile.id, why, simulated: profile.simulated, port: options.port }, url);
  if (why === 'fallback' || why === 'emergency')
    log.error('The selected profile cannot be used. Another one is used instead.', { profile: profile.id });
  if (profile.simulated) log.warn('This is a simulated panel: no hardware is touched.');
  await greet(agent, url);
}
