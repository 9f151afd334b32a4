import { describe, expect, it } from 'vitest';
import type { InstallPlan, InstallRequest, MachineScan, Step } from '#machines/install/events.ts';
import type { Requirement } from '#machines/provisioning/events.ts';
import { planInstall } from '#machines/install/plan.ts';
import { planLines } from '#machines/install/words.ts';
import { isBroughtNode, nodeFits } from '#machines/install/shape.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { requirementsOf } from '#profiles/requirements.ts';
import { anna, bare, plain } from './scans.ts';

function planned(scan: Partial<MachineScan> = {}, request: Partial<InstallRequest> = {}): InstallPlan {
  const plan = planInstall({ ...bare, ...scan }, { ...plain, ...request });
  if (!plan.ok) throw new Error(plan.message);
  return plan.value;
}
function refused(scan: Partial<MachineScan> = {}, request: Partial<InstallRequest> = {}): string {
  const plan = planInstall({ ...bare, ...scan }, { ...plain, ...request });
  return plan.ok ? 'planned' : plan.reason;
}
const packages = (plan: InstallPlan): readonly string[] =>
  plan.steps.flatMap((step) => (step.kind === 'package' ? [step.name] : []));
const joins = (plan: InstallPlan): readonly string[] =>
  plan.steps.flatMap((step) => (step.kind === 'membership' ? [step.group] : []));
const textOf = (plan: InstallPlan, path: string): string =>
  plan.steps.find((step): step is Extract<Step, { kind: 'file' }> => step.kind === 'file' && step.path === path)
    ?.text ?? '';
const without = (...names: readonly string[]): Partial<MachineScan> => ({
  packages: {
    ...bare.packages,
    ...Object.fromEntries(names.map((name) => [name, { installed: false, candidate: null }])),
  },
});

describe('the shape of an installation', () => {
  it.each([
    ['a bare machine', {}, {}, 'kiosk'],
    ['somebody in a desktop', { desktop: 'anna has a desktop session here', desktopUser: anna }, {}, 'user'],
    ['a desktop nobody is signed in to', { desktop: 'this machine has a desktop to sign in to' }, {}, 'user'],
    [
      'a kiosk beside a desktop, as asked',
      { desktop: 'anna has a desktop session here', desktopUser: anna },
      { shape: 'kiosk' },
      'kiosk',
    ],
    ['a session on a bare machine, as asked', {}, { shape: 'user' }, 'user'],
    [
      'what is installed',
      {
        installed: { shape: 'kiosk', user: 'sconce', profile: null },
        desktop: 'anna has a desktop session here',
        desktopUser: anna,
      },
      {},
      'kiosk',
    ],
  ] as const)('%s', (_, scan, request, shape) => {
    expect(planned(scan, request).shape).toBe(shape);
  });

  it.each([
    ['no package lists', { apt: 'no-lists' }, {}, 'no-package-lists'],
    [
      'another shape than the installed one',
      { installed: { shape: 'kiosk', user: 'sconce', profile: null } },
      { shape: 'user' },
      'other-shape',
    ],
    ['nobody to run as', { caller: null }, { shape: 'user' }, 'no-user'],
    ['a user who is not there', {}, { shape: 'user', user: 'bert' }, 'no-user'],
    ['root as the user', { named: { ...anna, name: 'root', uid: 0 } }, { shape: 'user', user: 'root' }, 'no-user'],
    ['neither labwc nor cage', without('labwc', 'cage'), {}, 'no-compositor'],
    [
      'an old Node here and in Debian',
      { nodes: [{ path: '/usr/bin/node', version: '18.20.4', open: true }], ...without('nodejs') },
      {},
      'node-too-old',
    ],
    [
      'a new Node where no service sees it',
      { nodes: [{ path: '/root/.nvm/node', version: '22.1.0', open: false }], ...without('nodejs') },
      {},
      'node-too-old',
    ],
  ] as const)('is refused for %s', (_, scan, request, reason) => {
    expect(refused(scan, request)).toBe(reason);
  });

  it('is planned whole where systemd does not run, and says first that it can only be looked at', () => {
    const [with_, without_] = [planned(), planned({ systemd: false })];
    expect(with_.obstacle).toBeNull();
    expect(without_).toEqual({ ...with_, obstacle: expect.stringContaining('systemd does not run here') });
    const notes = ['Beside the plan.'];
    const lines = planLines(without_, [], { notes });
    expect(lines.slice(1)).toEqual(planLines(with_, [], { notes }).slice(1));
    expect(lines[0]).toMatch(/^1 problem: Sconce cannot be installed on this machine: systemd does not run here/);
  });

  it('takes the Node of Debian where that is new enough', () => {
    const plan = planned({
      nodes: [],
      packages: { ...bare.packages, nodejs: { installed: false, candidate: '20.19.2+dfsg-1' } },
    });
    expect(packages(plan)).toContain('nodejs');
    expect(textOf(plan, '/usr/local/bin/sconce')).toContain('exec /usr/bin/node ');
  });

  it('takes the Node that the set-up brought along with the program, where nothing else is new enough', () => {
    const old = { nodes: [{ path: '/usr/bin/node', version: '18.20.4', open: true }], broughtNode: '22.23.3' };
    const plan = planned({ ...old, ...without('nodejs') });
    expect(textOf(plan, '/etc/systemd/system/sconce.service')).toContain(
      'ExecStart=/usr/local/lib/sconce/program/node /usr/local/lib/sconce/program/dist/sconce.cjs',
    );
    expect(plan.steps.find((step) => step.kind === 'program')?.why).toContain('its own Node.js');
    expect(textOf(planned({ broughtNode: '22.23.3' }), '/usr/local/bin/sconce')).toContain('exec /usr/bin/node ');
  });

  it.each([
    ['/home/anna/sconce/.cache/node-22.23.3/node_modules/node/bin/node', true],
    ['/home/anna/sconce/.cache/node-22.23.3/bin/node', true],
    ['/usr/local/lib/sconce/program-0123456789ab/node', true],
    ['/usr/bin/node', false],
    ['/home/anna/.nvm/versions/node/v22.1.0/bin/node', false],
  ])('%s was brought by the set-up: %s', (path, brought) => {
    expect(isBroughtNode(path)).toBe(brought);
  });

  it.each([
    ['20.19.0', true],
    ['20.18.9', false],
    ['v22.1.0', true],
    ['18.20.4+dfsg-1~deb12u1', false],
    ['2:24.1.0-1', true],
    ['', false],
  ])('Node %s fits: %s', (version, fits) => {
    expect(nodeFits(version)).toBe(fits);
  });
});

describe('a screen of its own', () => {
  it('takes labwc, else cage, and what each of them can use', () => {
    expect(packages(planned())).toEqual(
      expect.arrayContaining(['chromium', 'labwc', 'wlopm', 'libpam-systemd', 'dbus', 'polkitd', 'mpv']),
    );
    const cage = planned(without('labwc'));
    expect(packages(cage)).toContain('cage');
    expect(packages(cage)).not.toContain('wlopm');
    expect(textOf(cage, '/etc/systemd/system/sconce-kiosk.service')).toContain('ExecStart=/usr/bin/cage ');
  });

  it('reaches a monitor through its cable only where there is no backlight', () => {
    expect(joins(planned())).toEqual(['video', 'render', 'input', 'audio']);
    const monitor = planned({ backlight: false });
    expect(joins(monitor)).toContain('i2c');
    expect(packages(monitor)).toContain('ddcutil');
    expect(monitor.steps.filter((step) => step.kind === 'group').map((step) => step.name)).toEqual(['i2c']);
    expect(textOf(monitor, '/etc/modules-load.d/sconce.conf')).toBe('i2c-dev\n');
    expect(textOf(planned(), '/etc/udev/rules.d/60-sconce.rules')).not.toContain('i2c');
  });

  it('fills every place of the units, once the user has a number', () => {
    const plan = planned({ kioskUser: { name: 'sconce', uid: 990, gid: 990, home: '/var/lib/sconce' } });
    const unit = textOf(plan, '/etc/systemd/system/sconce.service');
    expect(unit.replace(/^#.*$/gm, '')).not.toMatch(/@[A-Z]+@/);
    expect(unit).toContain('XDG_RUNTIME_DIR=/run/user/990');
    expect(unit).toContain('After=network.target sound.target user@990.service');
    expect(unit).toMatch(/^SupplementaryGroups=video render input audio$/m);
    expect(unit).toMatch(/^ReadWritePaths=-\/var\/lib\/sconce\/\.pki$/m);
    expect(unit).toMatch(/^ExecStopPost=-\/usr\/local\/lib\/sconce\/program\/dist\/relight$/m);
  });

  it('leaves the certificates that Chromium trusts open to it, wherever its user is at home', () => {
    const plan = planned({ kioskUser: { name: 'sconce', uid: 990, gid: 990, home: '/home/sconce' } });
    const unit = textOf(plan, '/etc/systemd/system/sconce.service');
    expect(unit).toMatch(/^ReadWritePaths=-\/home\/sconce\/\.pki$/m);
    expect(unit).toMatch(/^ProtectHome=read-only$/m);
  });

  it('is bounded in memory and tasks without ever being ended for it, and leaves no dump of its memory', () => {
    const unit = textOf(planned(), '/etc/systemd/system/sconce.service');
    for (const line of ['MemoryHigh=85%', 'TasksMax=4096', 'LimitCORE=0']) expect(unit.split('\n')).toContain(line);
    expect(unit).not.toMatch(/^Memory(?:Max|SwapMax)=/m);
  });

  it('gives nothing but the reboot to its user', () => {
    const rule = textOf(planned(), '/etc/polkit-1/rules.d/60-sconce.rules');
    expect(rule.match(/org\.freedesktop\.\S+?"/g)).toEqual([
      'org.freedesktop.login1.reboot"',
      'org.freedesktop.login1.reboot-multiple-sessions"',
    ]);
    expect(rule).toContain('subject.user === "sconce"');
  });

  it('names what this release lacks', () => {
    expect(planned(without('wlopm')).notes).toContain(
      'This release has no package wlopm (switches outputs on and off under labwc).',
    );
    expect(packages(planned({}, { packages: false }))).toEqual([]);
    const alone = planned(
      {
        packages: {
          ...bare.packages,
          chromium: { installed: true, candidate: '1' },
          labwc: { installed: false, candidate: '1' },
        },
      },
      { packages: false },
    ).notes.join('\n');
    expect(alone).toMatch(/labwc \(owns the screen.*sudo apt-get install --no-install-recommends \S*.*labwc/);
    expect(alone).not.toContain('chromium');
  });

  it('copies what was set up before to the panel of its own, before that starts', () => {
    const tried = { folder: '/home/anna/.local/state/sconce', owner: anna };
    const { steps } = planned({ tried });
    const at = steps.findIndex(({ kind }) => kind === 'settings');
    expect(steps[at]).toMatchObject({ from: tried.folder, owner: anna, to: '/var/lib/sconce', user: 'sconce' });
    expect(steps.findIndex(({ kind }) => kind === 'user')).toBeLessThan(at);
    expect(steps.findIndex(({ kind }) => kind === 'unit')).toBeGreaterThan(at);
    expect(planLines(planned({ tried }), []).join('\n')).toContain(`+ settings ${tried.folder}`);
    // In a desktop it is the same folder, or another user's.
    const desktop = { desktop: 'anna has a desktop session here', desktopUser: anna };
    expect(planned({ ...desktop, tried }).steps.map(({ kind }) => kind)).not.toContain('settings');
  });

  it('says where no screen was found', () => {
    const notes = (scan: Partial<MachineScan>): string => [...planned(scan).problems, ...planned(scan).notes].join(' ');
    expect(notes({ screen: false })).toContain('No screen was found');
    expect(notes({})).not.toContain('No screen');
  });

  it('brings a recorder only where there may be a microphone, and none is installed', () => {
    const microphone = {
      driver: 'microphone.system',
      title: 'Microphone',
      slot: 'microphone',
      capability: 'microphone',
    };
    const requirements = [{ ...microphone, importance: 'optional', groups: [], packages: [], udev: [] }] as const;
    const profile = { id: 'generic-linux', title: 'Linux panel', origin: 'bundled', requirements } as const;
    const lines = (scan: Partial<MachineScan>): string => planLines(planned(scan), []).join('\n');
    const words = 'records what is spoken to the panel';
    expect(lines({ recorder: false, profile })).toContain(words);
    expect([lines({ profile }), lines({ recorder: false })].join()).not.toContain(words);
  });

  it('has a reason for every step', () => {
    expect(
      planned({ backlight: false, fonts: false, soundTool: false }).steps.filter((step) => step.why.length < 5),
    ).toEqual([]);
  });
});

describe('the session of somebody', () => {
  const plan = planned({ desktop: 'anna has a desktop session here', desktopUser: anna });
  const unit = textOf(plan, '/home/anna/.config/systemd/user/sconce.service');

  it('keeps of the one unit what the manager of a user can obey', () => {
    expect(unit).toContain('Type=notify');
    expect(unit).toContain('WatchdogSec=30');
    expect(unit).toContain('MemoryHigh=85%');
    expect(unit).toContain('LimitCORE=0');
    expect(unit).toContain('ExecStopPost=');
    expect(unit).toMatch(/^WantedBy=default\.target$/m);
    expect(unit).not.toMatch(
      /^(?:User|SupplementaryGroups|StateDirectory|Protect\w+|PrivateTmp|ReadWritePaths|DeviceAllow|Environment|Wants|After)=/m,
    );
  });

  it('lingers, and owns its unit', () => {
    expect(plan.steps.find((step) => step.kind === 'linger')).toMatchObject({ user: 'anna' });
    expect(plan.steps.find((step) => step.kind === 'file' && step.path.startsWith('/home/'))).toMatchObject({
      owner: anna,
    });
    expect(plan.steps.some((step) => step.kind === 'user')).toBe(false);
  });
});

describe('the camera', () => {
  /** The profile of any Linux machine, and the same where its author says that there is no camera. */
  function anyLinux(camera: 'auto' | 'absent'): MachineScan['profile'] {
    const bundled = bundledProfile('generic-linux');
    if (bundled === null) throw new Error('there is no such profile');
    const document = { ...bundled.document, hardware: { ...bundled.document.hardware, camera } };
    const requirements = requirementsOf(document).map(({ requirement }) => requirement);
    return { id: document.id, title: document.display_name, origin: 'bundled', requirements };
  }
  const known = { ...bare.packages, ffmpeg: { installed: false, candidate: '5.1' } };

  it('brings its encoder and its group', () => {
    const plan = planned({ profile: anyLinux('auto'), packages: known });
    expect(packages(plan)).toContain('ffmpeg');
    expect(joins(plan)).toContain('video');
    expect(planLines(plan, []).find((line) => line.includes('package  ffmpeg'))).toMatch(/for: Camera of the kernel$/);
  });

  it('brings no encoder where the profile says that there is none', () =>
    expect(packages(planned({ profile: anyLinux('absent'), packages: known }))).not.toContain('ffmpeg'));
});

describe('what the profile wants', () => {
  const requirement = {
    slot: 'relay1',
    driver: 'relay.gpio',
    capability: 'relay1',
    title: 'Relay on a GPIO line',
    importance: 'recommended',
    groups: ['gpio', 'video'],
    packages: ['gpiod', 'mpv'],
    udev: ['SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"'],
  } as const;
  const scan = {
    profile: {
      id: 'hall',
      title: 'Hall panel',
      origin: 'bundled',
      requirements: [requirement, { ...requirement, slot: 'relay2' }],
    },
    packages: { ...bare.packages, gpiod: { installed: false, candidate: '2.2' } },
  } as const;

  it('brings its packages, makes the group that its rules name, and joins it', () => {
    const plan = planned(scan);
    expect(packages(plan).filter((name) => name === 'gpiod' || name === 'mpv')).toEqual(['mpv', 'gpiod']);
    expect(plan.steps.filter((step) => step.kind === 'group')).toEqual([
      { kind: 'group', name: 'gpio', why: 'wanted by the profile Hall panel, for: Relay on a GPIO line' },
    ]);
    expect(joins(plan)).toEqual(['video', 'render', 'input', 'audio', 'gpio']);
    expect(textOf(plan, '/etc/systemd/system/sconce.service')).toMatch(/^SupplementaryGroups=.*\bgpio\b/m);
  });

  it('writes the rules of a driver once, and shows them word for word before that', () => {
    const plan = planned(scan);
    const rules = textOf(plan, '/etc/udev/rules.d/60-sconce.rules');
    expect(rules.split(requirement.udev[0])).toHaveLength(2);
    expect(planLines(plan, []).filter((line) => line.includes(requirement.udev[0]))).toHaveLength(1);
    expect(
      planLines(
        plan,
        plan.steps.map(() => 'there'),
      ).some((line) => line.includes(requirement.udev[0])),
    ).toBe(false);
  });

  it('makes no group that no rule names: nothing would have it', () => {
    const plan = planned({ profile: { ...scan.profile, requirements: [{ ...requirement, udev: [] }] } });
    expect(joins(plan)).not.toContain('gpio');
  });

  describe('beside its parts', () => {
    const beside = (name: string): Requirement => ({
      ...requirement,
      slot: name,
      driver: 'profile',
      capability: null,
      title: 'security update, take it at once',
      groups: [],
      packages: [name],
      udev: [],
      beside: { kind: 'package', note: 'security update, take it at once' },
    });
    const asking = (origin: 'bundled' | 'local'): Partial<MachineScan> => ({
      profile: { ...scan.profile, origin, requirements: [requirement, beside('telnetd'), beside('mpv')] },
      packages: { ...scan.packages, telnetd: { installed: false, candidate: '0.17' } },
    });

    it.each([
      ['is installed where the profile comes with Sconce', 'bundled', true],
      ['is not installed where it was imported from the network', 'local', false],
    ] as const)('%s', (_, origin, installed) => {
      const plan = planned(asking(origin));
      expect(packages(plan).includes('telnetd')).toBe(installed);
      // Packages that a compiled driver needs are included for any profile.
      expect(packages(plan)).toEqual(expect.arrayContaining(['mpv', 'gpiod']));
      expect(plan.notes.some((note) => /^Not installed\b.* telnetd\. /.test(note))).toBe(!installed);
    });

    it('stands in no command that root is given, nor do words of its author', () => {
      const plan = planned(asking('local'), { packages: false });
      const shown = planLines(plan, []).join('\n');
      expect(shown).toContain('sudo apt-get install --no-install-recommends');
      expect(shown.match(/^.*apt-get install.*$/m)?.[0]).not.toContain('telnetd');
      expect(shown).not.toContain('security update');
    });
  });
});

describe('what a panel is given', () => {
  const given = ['--name', '--mqtt-pass-file', '--ha-pass-file'];
  const desktop = { desktop: 'anna has a desktop session here', desktopUser: anna };
  const [kiosk, session] = [planned({}, { given }), planned(desktop, { given })];

  it.each([
    ['a screen of its own', kiosk, { folder: '/var/lib/sconce', user: 'sconce', inHome: false }],
    ['somebody’s session', session, { folder: '/home/anna/.local/state/sconce', user: 'anna', inHome: true }],
  ] as const)('is left for the agent of %s before that starts, by the names of its options alone', (_, plan, where) => {
    const at = plan.steps.findIndex(({ kind }) => kind === 'given');
    expect(plan.steps[at]).toEqual({ kind: 'given', ...where, why: expect.stringContaining(given.join(', ')) });
    expect(plan.steps.findIndex(({ kind }) => kind === 'unit')).toBeGreaterThan(at);
    expect(plan.steps.findLastIndex(({ kind }) => kind === 'program' || kind === 'user')).toBeLessThan(at);
    const line = planLines(plan, []).find((one) => one.includes('--mqtt-pass-file')) ?? '';
    expect(line).toMatch(new RegExp(`^ {2}\\+ settings ${where.folder} .*only ${where.user} can read it`));
  });

  it('comes after what was set up before, which it is judged by', () => {
    const { steps } = planned({ tried: { folder: '/home/anna/.local/state/sconce', owner: anna } }, { given });
    const kinds = steps.map(({ kind }) => kind);
    expect(kinds.indexOf('given')).toBe(kinds.indexOf('settings') + 1);
  });

  it('is no step where nothing is given, and never in a unit', () => {
    expect(planned().steps.map(({ kind }) => kind)).not.toContain('given');
    const unit = '/etc/systemd/system/sconce.service';
    expect(textOf(kiosk, unit)).toBe(textOf(planned(), unit));
  });
});

describe('the profile that an installation is given', () => {
  const unit = '/etc/systemd/system/sconce.service';
  const command = (plan: InstallPlan): string => /^ExecStart=\S+ \S+ (.*)$/m.exec(textOf(plan, unit))?.[1] ?? '';
  const before = (profile: string | null): Partial<MachineScan> => ({
    installed: { shape: 'kiosk', user: 'sconce', profile },
  });
  it.each([
    ['none', {}, null, 'run --profile auto', null],
    ['one', {}, 'linux', 'run --profile auto --default-profile linux', 'linux'],
    ['the one of before', before('linux'), null, 'run --profile auto --default-profile linux', 'linux'],
    [
      'another one than before',
      before('linux'),
      'simulated',
      'run --profile auto --default-profile simulated',
      'simulated',
    ],
    ['the one that fits again', before('linux'), 'auto', 'run --profile auto', null],
  ] as const)('%s', (_, scan, profile, line, kept) => {
    const plan = planned(scan, { profile });
    expect(command(plan)).toBe(line);
    expect(plan.profile).toBe(kept);
  });

  it('is the one of a session too', () => {
    const plan = planned({ desktop: 'anna has a desktop session here', desktopUser: anna }, { profile: 'linux' });
    expect(textOf(plan, '/home/anna/.config/systemd/user/sconce.service')).toContain(' --default-profile linux\n');
  });
});
