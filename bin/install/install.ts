import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InstallPlan, InstallWish, Look, Manifest, Standing, Step } from '#machines/install/events.ts';
import { noteAdded } from '#machines/install/manifest.ts';
import { knownPackages } from '#machines/install/packages.ts';
import { planInstall } from '#machines/install/plan.ts';
import { kioskUserName } from '#machines/install/shape.ts';
import { programFolder, ruleSubsystems } from '#machines/install/texts.ts';
import { planLines } from '#machines/install/words.ts';
import { type Adding, add, addPackages, takeNotice } from '#drivers/install/add.ts';
import { runCommand } from '#drivers/install/command.ts';
import { lookForInstall } from '#drivers/install/look.ts';
import { keepLedger } from '#drivers/install/ledger.ts';
import { lockFolder } from '#drivers/store/lock.ts';
import type { ProgramSource } from '#drivers/install/program.ts';
import { standingOf, unitLives } from '#drivers/install/standing.ts';
import { autoName, chooseProfile } from '#profiles/choose.ts';
import { peekProfile } from '#bin/profile-boot.ts';
import { defaultPort } from '#bin/arguments.ts';
import { readManifest } from './read-manifest.ts';
import { portIsTaken, settled } from './settled.ts';
import type { InstallOptions } from './arguments.ts';
import { consent, say, sayWrong } from './terminal.ts';

const here = dirname(fileURLToPath(import.meta.url));
const source: ProgramSource = { dist: here, modules: join(here, '..', 'node_modules') };

interface Stand {
  readonly plan: InstallPlan;
  readonly standings: readonly Standing[];
}

/** The profile that the agent will choose on this machine, with what its drivers want. */
const profileForInstall = (manifest: Manifest | null): Look['profile'] => {
  // Before the first installation there is no data folder, and so nothing that was selected.
  const { id, title, declared } =
    manifest === null
      ? chooseProfile({ asked: autoName }).profile
      : peekProfile({ folder: manifest.data, asked: autoName });
  return { id, title, wishes: declared.map(({ wish }) => wish) };
};

const lookAndPlan = async (asked: InstallWish, manifest: Manifest | null): Promise<Stand | string> => {
  // Once installed for somebody it stays theirs, whoever calls.
  const wish = manifest?.shape === 'user' ? { ...asked, user: manifest.user } : asked;
  const profile = profileForInstall(manifest);
  const packages = [...knownPackages, ...profile.wishes.flatMap((one) => one.packages)];
  const look = await lookForInstall(runCommand, {
    packages,
    profile,
    kioskUser: kioskUserName,
    named: wish.user,
    templates: join(here, 'install'),
    manifest,
  });
  const planned = planInstall(look, wish);
  if (!planned.ok) return planned.message;
  const scratch = mkdtempSync(join(tmpdir(), 'sconce-install-'));
  try {
    const standings = await Promise.all(
      planned.value.steps.map((step) => standingOf(runCommand, step, look, source, join(scratch, 'program'))),
    );
    return { plan: planned.value, standings };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** Steps that later texts depend on: the number of a user is known only when there is one. */
const early: ReadonlySet<Step['kind']> = new Set(['group', 'user', 'membership']);

const addMissing = async (adding: Adding, stand: Stand, which: (step: Step) => boolean): Promise<string | null> => {
  for (const [at, step] of stand.plan.steps.entries()) {
    if (step.kind === 'package' || stand.standings[at] === 'there' || !which(step)) continue;
    const added = await add(adding, step);
    if (!added.ok) return added.message;
  }
  return null;
};

const missingPackages = ({ plan, standings }: Stand): readonly string[] =>
  plan.steps.flatMap((step, at) => (step.kind === 'package' && standings[at] !== 'there' ? [step.name] : []));

const act = async (adding: Adding, wish: InstallWish, first: Stand): Promise<string | null> => {
  const packages = missingPackages(first);
  if (packages.length > 0) {
    say(`Installing ${packages.join(', ')} ...`);
    const added = await addPackages(adding, packages);
    if (!added.ok) return added.message;
  }
  const begun = await addMissing(adding, first, (step) => early.has(step.kind));
  if (begun !== null) return begun;
  const second = await lookAndPlan(wish, adding.ledger.read());
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
  await takeNotice(runCommand, {
    persons: [null, ...units.flatMap((unit) => (unit.person === null ? [] : [unit.person]))],
    modules,
    subsystems: ruleSubsystems(rules.join('\n')),
  });
  const changed = second.standings.some(
    (standing, at) => standing !== 'there' && second.plan.steps[at]?.kind !== 'unit',
  );
  // What was changed counts only for a service that starts anew.
  const last: Stand = changed
    ? {
        plan: second.plan,
        standings: second.standings.map((standing, at) =>
          second.plan.steps[at]?.kind === 'unit' ? 'to-add' : standing,
        ),
      }
    : second;
  return addMissing(adding, last, (step) => step.kind === 'unit');
};

/** Why nothing may be added now; null when it may. */
const hindrance = async ({ plan }: Stand): Promise<string | null> => {
  const locked = await lockFolder(programFolder);
  if (!locked.ok)
    return 'Another "sconce install" or "sconce uninstall" is at work here. Wait for its end and run this again. Nothing was changed.';
  const agent = plan.steps.find((step) => step.kind === 'unit' && step.name === 'sconce.service');
  const ours = agent?.kind === 'unit' && (await unitLives(runCommand, agent.name, agent.person));
  if (ours || !(await portIsTaken())) return null;
  return `Another program listens on port ${defaultPort}, where the panel's pages go; it may be an agent that was started by hand. Who it is: sudo ss -ltnp 'sport = :${defaultPort}'. End it and run this again. Nothing was changed.`;
};

/**
 * `sconce install`: shows what it will add and why, asks, adds it and looks whether the panel lives; the exit status.
 */
export const install = async (options: InstallOptions): Promise<number> => {
  // What is made here is for others to read, however strict root's own shell is.
  process.umask(0o022);
  const manifest = readManifest();
  if (!manifest.ok) return sayWrong(manifest.message);
  const stand = await lookAndPlan(options, manifest.value);
  if (typeof stand === 'string') return sayWrong(stand);
  say(...planLines(stand.plan, stand.standings));
  if (options.dryRun) return 0;
  if (process.getuid?.() !== 0)
    return sayWrong('Adding these needs root. Run it again with sudo. Nothing was changed.');
  if (stand.standings.every((standing) => standing === 'there')) {
    say('', 'Everything is there already.');
    return settled();
  }
  const hindered = await hindrance(stand);
  if (hindered !== null) return sayWrong(hindered);
  const agreed = options.yes ? true : await consent('Add these?');
  if (agreed === null)
    return sayWrong('Nobody can be asked here. Look at the list and run it again with --yes. Nothing was changed.');
  if (!agreed) return sayWrong('Nothing was changed.');
  const fresh: Manifest = {
    version: 1,
    shape: stand.plan.shape,
    user: stand.plan.user,
    data: stand.plan.data,
    added: [],
  };
  const failure = await act(
    {
      run: runCommand,
      source,
      folder: programFolder,
      ledger: keepLedger(programFolder, manifest.value ?? fresh, noteAdded),
    },
    options,
    stand,
  );
  if (failure !== null)
    return sayWrong(
      `${failure} What was added until then is noted: run it again to go on, or "sconce uninstall" to take it away.`,
    );
  say('', 'Added. Looking whether the panel lives ...');
  return settled();
};
