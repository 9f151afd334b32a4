import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InstallPlan, InstallRequest, MachineScan, Manifest, StepState, Step } from '#machines/install/events.ts';
import { noteAdded } from '#machines/install/manifest.ts';
import { knownPackages } from '#machines/install/packages.ts';
import { planInstall } from '#machines/install/plan.ts';
import { isBroughtNode, kioskUserName } from '#machines/install/shape.ts';
import { installLock, programFolder, ruleSubsystems } from '#machines/install/texts.ts';
import { planLines } from '#machines/install/words.ts';
import { writableNotes } from '#machines/install/writable.ts';
import { type Adding, add, addPackages, loadNewFiles } from '#drivers/install/add.ts';
import { runCommand } from '#drivers/install/command.ts';
import { scanMachine, triedHere } from '#drivers/install/scan.ts';
import { manifestFile } from '#drivers/install/manifest-file.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { lockFile, lockFolder } from '#drivers/store/lock.ts';
import type { ProgramSource } from '#drivers/install/program.ts';
import { installedFrom, trustedHere } from '#drivers/install/writable.ts';
import { stateOf, unitLives } from '#drivers/install/step-state.ts';
import { autoName, chooseProfile, hasScreen, kernelSigns } from '#profiles/choose.ts';
import { peekProfile } from '#bin/profile-boot.ts';
import { defaultPort } from '#bin/usage.ts';
import { readManifest } from './read-manifest.ts';
import { cloneRecord } from './clone-record.ts';
import { givenNotes, type GivenOutlook, outlookOf, type ReadGiven, readGivenOptions } from './given.ts';
import { portIsTaken, settled } from './settled.ts';
import type { InstallOptions } from './arguments.ts';
import { consent, say, sayWrong } from './terminal.ts';

const here = dirname(fileURLToPath(import.meta.url));
const broughtNode = isBroughtNode(process.execPath);
const checkout = join(here, '..');
const source: ProgramSource = {
  dist: here,
  modules: join(checkout, 'node_modules'),
  node: broughtNode ? process.execPath : null,
};

interface PlannedInstall {
  readonly plan: InstallPlan;
  readonly states: readonly StepState[];
  /** What an owner should know of the given values, in sentences. */
  readonly notes: readonly string[];
}

/** The profile that the agent will choose on this machine, with what its drivers require. */
function profileForInstall(folder: string | null, preferred: string | null): MachineScan['profile'] {
  // Without a data folder no profile was selected.
  const { id, title, revision, declared } =
    folder === null
      ? chooseProfile({ asked: autoName, preferred }).profile
      : peekProfile({ folder, asked: autoName, preferred });
  const requirements = declared.map(({ requirement }) => requirement);
  return { id, title, origin: revision.origin, requirements };
}

/** Notes on who else can write what is installed from here. */
function checkoutNotes(): readonly string[] {
  return writableNotes(checkout, installedFrom(checkout, process.execPath), trustedHere(process.env));
}

const outlookFor = ({ given }: ReadGiven, settings: string | null, data: string): GivenOutlook =>
  given === null
    ? { state: 'there', kept: [], unaddressed: [], signedIn: false, madeId: null }
    : outlookOf(given, settings ?? data, data);

async function scanAndPlan(
  asked: InstallRequest,
  manifest: Manifest | null,
  read: ReadGiven,
): Promise<PlannedInstall | string> {
  // An installation for one user stays theirs, no matter who runs the command.
  const request = manifest?.shape === 'user' ? { ...asked, user: manifest.user } : asked;
  const tried = triedHere();
  // What the agent will find: its own folder, or the one that is copied for it.
  const folders = [manifest?.data, tried?.folder].filter((one) => one !== undefined);
  const settings = folders.find((one) => existsSync(join(one, DOCUMENT))) ?? null;
  const profile = profileForInstall(settings, request.profile ?? manifest?.profile ?? null);
  const packages = [...knownPackages, ...profile.requirements.flatMap((one) => one.packages)];
  const scan = await scanMachine(runCommand, {
    packages,
    profile,
    kioskUser: kioskUserName,
    broughtNode,
    named: request.user,
    templates: join(here, 'install'),
    screen: hasScreen({ ...kernelSigns(), env: {} }),
    tried,
    manifest,
  });
  const planned = planInstall(scan, request);
  if (!planned.ok) return planned.message;
  const scratch = mkdtempSync(join(tmpdir(), 'sconce-install-'));
  try {
    const outlook = outlookFor(read, settings, planned.value.data);
    if (outlook.unaddressed.length > 0)
      return 'A token belongs to one Home Assistant. Give that address too, with --ha-url. Nothing was changed.';
    const states = await Promise.all(
      planned.value.steps.map(async (step) =>
        step.kind === 'given' ? outlook.state : stateOf(runCommand, step, scan, source, join(scratch, 'program')),
      ),
    );
    return { plan: planned.value, states, notes: [...givenNotes(read, outlook), ...checkoutNotes()] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Steps that later texts depend on: the id of a user is known only once it exists. */
const early: ReadonlySet<Step['kind']> = new Set(['group', 'user', 'membership']);

async function addMissing(
  adding: Adding,
  planned: PlannedInstall,
  which: (step: Step) => boolean,
): Promise<string | null> {
  for (const [at, step] of planned.plan.steps.entries()) {
    if (step.kind === 'package' || planned.states[at] === 'there' || !which(step)) continue;
    const added = await add(adding, step);
    if (!added.ok) return added.message;
  }
  return null;
}

const missingPackages = ({ plan, states }: PlannedInstall): readonly string[] =>
  plan.steps.flatMap((step, at) => (step.kind === 'package' && states[at] !== 'there' ? [step.name] : []));

async function act(
  adding: Adding,
  request: InstallRequest,
  read: ReadGiven,
  first: PlannedInstall,
): Promise<string | null> {
  const packages = missingPackages(first);
  if (packages.length > 0) {
    say(`Installing ${packages.join(', ')} ...`);
    const added = await addPackages(adding, packages);
    if (!added.ok) return added.message;
  }
  const begun = await addMissing(adding, first, (step) => early.has(step.kind));
  if (begun !== null) return begun;
  const second = await scanAndPlan(request, adding.manifest.read(), read);
  if (typeof second === 'string') return second;
  const failure = await addMissing(adding, second, (step) => !early.has(step.kind) && step.kind !== 'unit');
  if (failure !== null) return failure;
  const units = second.plan.steps.filter((step) => step.kind === 'unit');
  const modules = second.plan.steps.some((step) => step.kind === 'file' && step.path.startsWith('/etc/modules-load.d/'))
    ? ['i2c-dev']
    : [];
  const rules = second.plan.steps.flatMap((step) =>
    step.kind === 'file' && step.path.startsWith('/etc/udev/rules.d/') ? [step.text] : [],
  );
  await loadNewFiles(runCommand, {
    persons: [null, ...units.flatMap((unit) => (unit.person === null ? [] : [unit.person]))],
    modules,
    subsystems: ruleSubsystems(rules.join('\n')),
  });
  const changed = second.states.some((state, at) => state !== 'there' && second.plan.steps[at]?.kind !== 'unit');
  // Changes take effect only in a restarted service.
  const last: PlannedInstall = changed
    ? {
        ...second,
        states: second.states.map((state, at) => (second.plan.steps[at]?.kind === 'unit' ? 'to-add' : state)),
      }
    : second;
  return addMissing(adding, last, (step) => step.kind === 'unit');
}

/** Why nothing may be added now; null if it may. */
async function hindrance({ plan, states }: PlannedInstall): Promise<string | null> {
  const locked = await lockFile(installLock);
  if (!locked.ok)
    return locked.reason === 'lock-failed'
      ? `The file ${installLock} cannot be locked. Nothing was changed.`
      : 'Another "sconce install" or "sconce uninstall" is running here. Wait until it has ended and run this again. Nothing was changed.';
  const copy = plan.steps.find((step) => step.kind === 'settings');
  // Held until this process ends: two agents with the same settings would be one panel twice.
  const isCopied = copy?.kind === 'settings' && states[plan.steps.indexOf(copy)] !== 'there';
  if (isCopied && !(await lockFolder(copy.from, { creates: false })).ok)
    return `An agent that was started by hand uses the settings in ${copy.from}, which are to be copied. Stop it and run this again. Nothing was changed.`;
  const agent = plan.steps.find((step) => step.kind === 'unit' && step.name === 'sconce.service');
  const ours = agent?.kind === 'unit' && (await unitLives(runCommand, agent.name, agent.person));
  if (ours || !(await portIsTaken())) return null;
  return `Another program listens on port ${defaultPort}, which the panel's pages need; it may be an agent that was started by hand. To see which one: sudo ss -ltnp 'sport = :${defaultPort}'. Stop it and run this again. Nothing was changed.`;
}

/**
 * `sconce install`: shows what it will add and why, asks, adds it and checks if the panel runs; returns the exit
 * status.
 */
export async function install(options: InstallOptions): Promise<number> {
  // Others must be able to read what is made here, however strict root's own umask is.
  process.umask(0o022);
  const manifest = readManifest();
  if (!manifest.ok) return sayWrong(manifest.message);
  const read = readGivenOptions(options);
  if (!read.ok) return sayWrong(read.message);
  const planned = await scanAndPlan(options, manifest.value, read.value);
  if (typeof planned === 'string') return sayWrong(planned);
  const { obstacle } = planned.plan;
  if (obstacle !== null && !options.dryRun) return sayWrong(obstacle);
  say(...planLines(planned.plan, planned.states, { notes: planned.notes, all: options.all }));
  if (options.dryRun) return obstacle === null ? 0 : 1;
  if (process.getuid?.() !== 0)
    return sayWrong('Adding these needs root. Run it again with sudo. Nothing was changed.');
  const from = await cloneRecord(checkout, manifest.value?.from ?? null);
  if (planned.states.every((state) => state === 'there')) {
    say('', 'Everything is there already.');
    // What was pulled since may have changed nothing that is installed, but it is what runs here.
    if (manifest.value !== null) manifestFile(programFolder, { ...manifest.value, from }, noteAdded).note();
    return settled(read.value.given?.settings['ha_url'] !== undefined);
  }
  const hindered = await hindrance(planned);
  if (hindered !== null) return sayWrong(hindered);
  const agreed = options.yes ? true : await consent('Add these?');
  if (agreed === null)
    return sayWrong('There is no terminal to ask in. Check the list and run it again with --yes. Nothing was changed.');
  if (!agreed) return sayWrong('Nothing was changed.');
  const fresh: Manifest = {
    version: 1,
    shape: planned.plan.shape,
    user: planned.plan.user,
    data: planned.plan.data,
    profile: null,
    from,
    added: [],
  };
  const failure = await act(
    {
      run: runCommand,
      source,
      folder: programFolder,
      manifest: manifestFile(
        programFolder,
        { ...(manifest.value ?? fresh), profile: planned.plan.profile, from },
        noteAdded,
      ),
      given: read.value.given,
    },
    options,
    read.value,
    planned,
  );
  if (failure !== null)
    return sayWrong(
      `${failure} What was added so far is recorded: run it again to continue, or "sconce uninstall" to remove it.`,
    );
  say('', 'Added. Checking that the panel is running ...');
  return settled(read.value.given?.settings['ha_url'] !== undefined);
}
