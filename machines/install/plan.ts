import { ok, refuse, type Result } from '../kit/result.ts';
import type { InstallPlan, InstallRequest, MachineScan, Person, Step } from './events.ts';
import { chooseCompositor, forPart, needsDdc, wantedPackages } from './packages.ts';
import { chooseNode, choosePerson, chooseShape, kioskUserName, type InstallRefusal } from './shape.ts';
import {
  fill,
  kioskData,
  launcherText,
  pamText,
  polkitText,
  programFolder,
  programNode,
  udevText,
  userUnit,
  type UnitFacts,
} from './texts.ts';
import { ownField } from '../kit/own-field.ts';

const compositorCommand = {
  labwc: `/usr/bin/labwc -C ${programFolder}/program/dist/install/labwc`,
  cage: '/usr/bin/cage -d -- /bin/sleep infinity',
} as const;

/** Groups of the device files that a panel uses; only those that this system knows. */
const deviceGroups: Readonly<Record<string, string>> = {
  video: 'backlight and camera',
  render: 'the graphics card, for drawing',
  input: 'touch and keys, so that a touch wakes the screen even while the dashboard is away',
  audio: 'sound',
  i2c: 'brightness and power of a monitor through its cable',
};

const template = (scan: MachineScan, name: string): string => scan.templates[name] ?? '';

const file = (path: string, text: string, why: string, owner: Person | null = null, mode = 0o644): Step => ({
  kind: 'file',
  path,
  text,
  mode,
  owner,
  why,
});

/**
 * Groups that the profile's drivers need beyond those of every panel, each with the part that needs it; a missing
 * group that a device rule names is created.
 */
function profileGroups(
  scan: MachineScan,
  usual: readonly string[],
): readonly { readonly name: string; readonly why: string; readonly make: boolean }[] {
  const wanting = scan.profile.requirements.flatMap((requirement) =>
    requirement.groups.map((name) => ({
      name,
      why: forPart(requirement.title, scan),
      make: requirement.udev.some((rule) => rule.includes(`GROUP="${name}"`) || rule.includes(`chgrp ${name} `)),
    })),
  );
  return wanting.filter(
    ({ name, make }, at) =>
      !usual.includes(name) &&
      (make || scan.groups.includes(name)) &&
      wanting.findIndex((other) => other.name === name) === at,
  );
}

function groupSteps(
  scan: MachineScan,
  user: string,
  names: readonly string[],
): { readonly groups: readonly string[]; readonly steps: readonly Step[] } {
  const ddc = needsDdc(scan);
  const usual = names.filter((name) => (name === 'i2c' ? ddc : scan.groups.includes(name)));
  const further = profileGroups(scan, usual);
  const make: Step[] = [
    ...(ddc && !scan.groups.includes('i2c')
      ? [{ kind: 'group', name: 'i2c', why: 'owns the buses to monitors' } as const]
      : []),
    ...further
      .filter((group) => group.make && !scan.groups.includes(group.name))
      .map(({ name, why }): Step => ({ kind: 'group', name, why })),
  ];
  const joins = [...usual.map((name) => ({ name, why: ownField(deviceGroups, name) ?? '' })), ...further];
  return {
    groups: joins.map(({ name }) => name),
    steps: [...make, ...joins.map(({ name, why }): Step => ({ kind: 'membership', user, group: name, why }))],
  };
}

const programWords = (node: string): string =>
  `the program itself, with ${node === programNode ? 'its own Node.js and ' : ''}the one native library that it needs`;

const rules = (scan: MachineScan, user: string, node: string): readonly Step[] => [
  { kind: 'program', folder: programFolder, why: programWords(node) },
  file('/usr/local/bin/sconce', launcherText(node), 'the command "sconce"', null, 0o755),
  file(
    '/etc/udev/rules.d/60-sconce.rules',
    udevText(needsDdc(scan), scan.profile.requirements),
    'opens the devices of this panel to its groups, so that no root is needed',
  ),
  ...(needsDdc(scan)
    ? [file('/etc/modules-load.d/sconce.conf', 'i2c-dev\n', 'the kernel shows the buses to monitors')]
    : []),
  file('/etc/polkit-1/rules.d/60-sconce.rules', polkitText(user), `lets ${user} reboot this machine, and nothing else`),
];

const packageNotes = ({
  absent,
  left,
  foreign,
}: Omit<ReturnType<typeof wantedPackages>, 'wanted'>): readonly string[] => [
  ...absent.map((row) => `This release has no package ${row.name} (${row.why}).`),
  ...(left.length === 0
    ? []
    : [
        'You install packages yourself; these are still missing: ' +
          `${left.map((row) => `${row.name} (${row.why})`).join(', ')}. ` +
          `For all of them: sudo apt-get install --no-install-recommends ${left.map((row) => row.name).join(' ')}`,
      ]),
  ...(foreign.length === 0
    ? []
    : [
        'Not installed, because only the author of the imported profile asks for it: ' +
          `${foreign.join(', ')}. The author's reasons: sconce doctor`,
      ]),
];

/** The profile that the unit names: the requested one, otherwise the previous one; null for none. */
const profileFor = ({ installed }: MachineScan, { profile }: InstallRequest): string | null =>
  profile === 'auto' ? null : (profile ?? installed?.profile ?? null);

/** The plan knows the panel's settings by option name only: their values are neither shown nor kept with it. */
const givenSteps = (
  { given }: InstallRequest,
  where: { readonly folder: string; readonly user: string; readonly inHome: boolean },
): readonly Step[] =>
  given.length === 0
    ? []
    : [
        {
          kind: 'given',
          ...where,
          why: `what you give this panel: ${given.join(', ')}; only ${where.user} can read it`,
        },
      ];

type PlanOfShape = Omit<InstallPlan, 'because' | 'shape' | 'obstacle'>;

function kioskPlan(
  scan: MachineScan,
  request: InstallRequest,
  node: { readonly path: string; readonly install: boolean },
): Result<PlanOfShape, InstallRefusal> {
  const compositor = chooseCompositor(scan);
  if (compositor === null) {
    return refuse(
      'no-compositor',
      'This release has neither labwc nor cage, one of which the screen needs. Debian 13 has both; with a desktop use --session user.',
    );
  }
  const user = kioskUserName;
  const { wanted, ...others } = wantedPackages(scan, 'kiosk', request, node);
  const { groups, steps } = groupSteps(scan, user, ['video', 'render', 'input', 'audio', 'i2c']);
  const facts: UnitFacts = {
    node: node.path,
    user,
    uid: scan.kioskUser?.uid ?? null,
    home: scan.kioskUser?.home ?? kioskData,
    groups,
    compositor: compositorCommand[compositor],
    profile: profileFor(scan, request),
  };
  const [make, join] = [steps.filter((step) => step.kind === 'group'), steps.filter((step) => step.kind !== 'group')];
  return ok({
    user,
    data: kioskData,
    profile: facts.profile,
    steps: [
      ...wanted.map((row): Step => ({ kind: 'package', ...row })),
      ...make,
      {
        kind: 'user',
        name: user,
        home: kioskData,
        why: 'the panel runs as this user, who cannot sign in and is not root',
      },
      ...join,
      ...rules(scan, user, node.path),
      file('/etc/pam.d/sconce-kiosk', pamText, 'the session of the screen, without a password and without root'),
      file(
        '/etc/systemd/system/sconce-kiosk.service',
        fill(template(scan, 'sconce-kiosk.service'), facts),
        `starts ${compositor} on the first console`,
      ),
      file(
        '/etc/systemd/system/sconce.service',
        fill(template(scan, 'sconce.service'), facts),
        'starts the agent with the machine, and again should it ever end',
      ),
      ...(scan.tried === null
        ? []
        : [
            {
              kind: 'settings',
              from: scan.tried.folder,
              owner: scan.tried.owner,
              to: kioskData,
              user,
              why: 'what you set up with "bin/run" is copied, so that the panel stays the same one',
            } as const,
          ]),
      ...givenSteps(request, { folder: kioskData, user, inHome: false }),
      { kind: 'unit', name: 'sconce-kiosk.service', person: null, why: 'the screen, with the machine' },
      { kind: 'unit', name: 'sconce.service', person: null, why: 'the agent, with the machine' },
    ],
    problems: scan.screen
      ? []
      : ['No screen was found on this machine, neither a backlight nor a connected monitor. Connect one first.'],
    notes: [
      "The first console (tty1) becomes the panel's screen; sign in on another one with Ctrl+Alt+F2, or over the network.",
      ...packageNotes(others),
    ],
  });
}

function userPlan(
  scan: MachineScan,
  request: InstallRequest,
  node: { readonly path: string; readonly install: boolean },
): Result<PlanOfShape, InstallRefusal> {
  const chosen = choosePerson(scan, request);
  if (!chosen.ok) return chosen;
  const person = chosen.value;
  const { wanted, ...others } = wantedPackages(scan, 'user', request, node);
  const { groups, steps } = groupSteps(scan, person.name, ['video', 'input', 'i2c']);
  const { name, uid, home } = person;
  const profile = profileFor(scan, request);
  const facts: UnitFacts = { node: node.path, user: name, uid, home, groups, compositor: '', profile };
  return ok({
    user: person.name,
    data: `${person.home}/.local/state/sconce`,
    profile,
    steps: [
      ...wanted.map((row): Step => ({ kind: 'package', ...row })),
      ...steps,
      ...rules(scan, person.name, node.path),
      {
        kind: 'linger',
        user: person.name,
        why: 'the agent runs from the start of the machine, before any user has signed in',
      },
      file(
        `${person.home}/.config/systemd/user/sconce.service`,
        userUnit(fill(template(scan, 'sconce.service'), facts)),
        'starts the agent, and again should it ever end',
        person,
      ),
      ...givenSteps(request, { folder: `${person.home}/.local/state/sconce`, user: name, inHome: true }),
      { kind: 'unit', name: 'sconce.service', person, why: 'the agent, with the machine' },
    ],
    problems: [],
    notes: [
      `The dashboard is shown in the desktop of ${person.name}. For it to be there after power returns, the desktop must sign ${person.name} in by itself.`,
      `New groups count for ${person.name} after the next start of the machine.`,
      ...packageNotes(others),
    ],
  });
}

const noSystemd =
  'Sconce cannot be installed on this machine: systemd does not run here, and a panel needs it to stay up. "bin/run" starts the agent in the foreground.';

/** Decides what will be added; it changes nothing. */
export function planInstall(scan: MachineScan, request: InstallRequest): Result<InstallPlan, InstallRefusal> {
  if (request.packages && scan.apt === 'no-lists')
    return refuse('no-package-lists', 'apt has no package lists yet. Run: sudo apt-get update');
  const shape = chooseShape(scan, request);
  if (!shape.ok) return shape;
  const node = chooseNode(scan, request);
  if (!node.ok) return node;
  const plan =
    shape.value.shape === 'kiosk' ? kioskPlan(scan, request, node.value) : userPlan(scan, request, node.value);
  return plan.ok ? ok({ ...shape.value, ...plan.value, obstacle: scan.systemd ? null : noSystemd }) : plan;
}
