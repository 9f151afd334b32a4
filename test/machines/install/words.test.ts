import { describe, expect, it } from 'vitest';

import type { InstallPlan, StepState } from '#machines/install/events.ts';
import { planLines } from '#machines/install/words.ts';

const file = (path: string, text: string, why: string) =>
  ({ kind: 'file', path, text, mode: 0o644, owner: null, why }) as const;

/** A kiosk of which half is there: everything that a list can show, and short. */
const plan: InstallPlan = {
  shape: 'kiosk',
  because: 'this machine has no desktop session',
  user: 'sconce',
  data: '/var/lib/sconce',
  profile: null,
  steps: [
    { kind: 'package', name: 'chromium', why: 'shows the dashboard' },
    { kind: 'package', name: 'labwc', why: 'owns the screen' },
    { kind: 'user', name: 'sconce', home: '/var/lib/sconce', why: 'the panel runs as this user' },
    { kind: 'membership', user: 'sconce', group: 'video', why: 'backlight and camera' },
    { kind: 'program', folder: '/usr/local/lib/sconce', why: 'the program itself' },
    file('/etc/udev/rules.d/60-sconce.rules', '# A lamp.\nSUBSYSTEM=="leds"\n', 'opens the devices'),
    file('/usr/local/bin/sconce', '', 'the command "sconce"'),
    { kind: 'unit', name: 'sconce.service', person: null, why: 'the agent, with the machine' },
  ],
  notes: ["The first console (tty1) becomes the panel's screen."],
  problems: [],
  obstacle: null,
};
const half: readonly StepState[] = ['there', 'there', 'there', 'there', 'to-add', 'to-add', 'there', 'to-replace'];
const noScreen = 'No screen was found on this machine. Connect one first.';
const noSystemd = 'Sconce cannot be installed on this machine: systemd does not run here.';

describe('the list of an installation', () => {
  it('begins with the number of problems, and folds what is there', () => {
    expect(planLines({ ...plan, problems: [noScreen] }, half, { notes: ['Kept as set on the panel: Name.'] })).toEqual([
      '1 problem: No screen was found on this machine. Connect one first.',
      '',
      'Sconce gets a screen of its own (--session kiosk): this machine has no desktop session.',
      '+ add, ~ replace',
      '',
      '  + folder   /usr/local/lib/sconce                             the program itself',
      '  + file     /etc/udev/rules.d/60-sconce.rules                 opens the devices',
      '               | # A lamp.',
      '               | SUBSYSTEM=="leds"',
      '  ~ service  sconce.service                                    the agent, with the machine',
      '  = 2 packages, 1 user, 1 group and 1 file are already there; --all lists them.',
      '',
      'Settings are kept in /var/lib/sconce.',
      "The first console (tty1) becomes the panel's screen.",
      'Kept as set on the panel: Name.',
    ]);
  });

  it('lists what is there where that is asked for, without its rules', () => {
    const lines = planLines(
      plan,
      plan.steps.map((): StepState => 'there'),
      { all: true },
    );
    expect(lines.slice(0, 7)).toEqual([
      'No problems.',
      '',
      'Sconce gets a screen of its own (--session kiosk): this machine has no desktop session.',
      '= already there',
      '',
      '  = package  chromium                                          shows the dashboard',
      '  = package  labwc                                             owns the screen',
    ]);
    expect(lines.join('\n')).not.toMatch(/SUBSYSTEM|--all/);
  });

  it('says what stands in the way before what is missing', () => {
    expect(planLines({ ...plan, problems: [noScreen], obstacle: noSystemd }, half).slice(0, 4)).toEqual([
      '2 problems:',
      `  ! ${noSystemd}`,
      `  ! ${noScreen}`,
      '',
    ]);
  });
});
