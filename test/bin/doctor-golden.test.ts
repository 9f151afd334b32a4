import { expect, it } from 'vitest';

import { notRunningLine, runningLine } from '#bin/doctor-opening.ts';
import type { DoctorRow } from '#bin/doctor-rows.ts';
import { doctorLines, doctorStatus, foundSentence, ownSentence, type Reported } from '#bin/report.ts';
import { securityRows } from '#bin/security-row.ts';
import { judgePresence } from '#machines/home-presence/verdict.ts';
import type { StatusDocument } from '#machines/status.ts';
import { updateWords } from '#machines/updates/words.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

/*
 * What a person reads in the four states that they meet: the whole text, to be judged as a whole.
 */

const asked = { data: null, port: 8888 };
const origin = 'http://192.168.1.20:8888';
const answer = await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/status'), {});
// The route's own schema, which its tests parse it with.
const read = (await answer.json()) as StatusDocument;
const panel = { ...read.panel, version: '0.2.0', profile: { id: 'pi', title: 'Raspberry Pi', simulated: false } };
const status: StatusDocument = { ...read, panel, warnings: [], state: 'working' };

const row = (title: string, state: DoctorRow['state'], detail: string, missing: string | null = null): DoctorRow => ({
  title,
  state,
  detail,
  missing,
  fix: null,
});
const works = ['Screen', 'Touch and keys', 'Volume', 'Storage'].map((title) => row(title, 'working', ''));
const camera = row('Camera', 'not_here', 'No camera is connected to this machine.', 'A camera.');
const broker = row('Broker', 'working', 'The broker is connected.');
const screen = row(
  'Screen',
  'not_here',
  'Nothing here can dim or switch a screen. Tried: the backlight of the kernel: none found; the monitor itself (ddcutil): not installed.',
  'A screen that the system can control.',
);
const sound = 'This machine shows no sound card, and no sound system answers.';

const text = (report: Omit<Reported, 'byHand'>): readonly string[] => doctorLines({ byHand: [], ...report });

/** What the panel's own verdict says of Home Assistant, that does not answer or restarts. */
const away = (state: 'gone' | 'restarting'): DoctorRow => ({
  title: 'Home Assistant',
  ...judgePresence({ state }, null, {
    lifecycle: state === 'gone' ? null : 'starting',
    signedIn: true,
    publishing: null,
    path: null,
    broker: null,
  } as unknown as Parameters<typeof judgePresence>[2]),
});

it('reads so without an agent', () => {
  const rows = [
    screen,
    row('Volume', 'not_here', sound, 'A sound card.'),
    row('Announcements', 'not_here', `Announcements cannot be heard. ${sound}`, 'A sound card.'),
    row('Settings', 'working', ''),
  ];
  expect(
    text({
      opening: notRunningLine({ found: 'none', port: 8888 }, asked, null, 'anna'),
      isRunning: false,
      status,
      rows,
      sentence: foundSentence({ ...status, capabilities: [] }),
    }),
  ).toEqual([
    'Sconce is not running here. Start it: bin/run',
    'Checking this machine instead: version 0.2.0 on Debian GNU/Linux 13 (Raspberry Pi)',
    'Nothing that Sconce can control was found here.',
    '',
    '  - Screen        not here  Nothing here can dim or switch a screen. Tried:',
    '      the backlight of the kernel: none found',
    '      the monitor itself (ddcutil): not installed',
    '  - Volume        not here  This machine shows no sound card, and no sound system answers.',
    '  - Announcements not here  Announcements cannot be heard.',
    '  + 1 works: settings',
  ]);
});

it('reads so beside an agent that lacks nothing', () => {
  const rows = [...works, broker, camera];
  expect(
    text({
      opening: runningLine({ guessed: false }, origin),
      isRunning: true,
      status,
      rows,
      sentence: ownSentence({ ...status, sentence: 'This panel is working, and Home Assistant shows it.' }),
    }),
  ).toEqual([
    'Sconce is running at http://192.168.1.20:8888/',
    'Version 0.2.0 on Debian GNU/Linux 13 (Raspberry Pi)',
    'This panel is working, and Home Assistant shows it.',
    '',
    '  - Camera not here  No camera is connected to this machine.',
    '  + 5 work: screen, touch and keys, volume, storage, broker',
  ]);
  expect(doctorStatus(status, rows)).toBe(0);
});

it('begins with the setup of a panel that needs it', () => {
  const rows = [...works, row('Broker', 'needs_you', 'Sconce looks for Home Assistant on this network.')];
  const opening = runningLine({ guessed: false }, origin);
  expect(text({ opening, setup: `${origin}/setup`, isRunning: true, status, rows, sentence: '' }).slice(0, 4)).toEqual([
    'Sconce is running at http://192.168.1.20:8888/',
    'Version 0.2.0 on Debian GNU/Linux 13 (Raspberry Pi)',
    'Not set up yet: open http://192.168.1.20:8888/setup on your phone or computer.',
    'Needs you: Broker.',
  ]);
});

it('reads so beside an agent that needs a person', () => {
  const rows = [
    ...works,
    {
      ...row(
        'Broker',
        'needs_you',
        'The broker refused the user name or the password. Enter the right ones.',
        'A password.',
      ),
    },
    {
      ...row('Screen power', 'needs_you', 'The screen may not be switched by this user.', 'The group video.'),
      fix: { command: 'sudo usermod -aG video anna', effect: 'Adds anna to the group. It counts after a restart.' },
    },
    camera,
  ];
  expect(
    text({ opening: runningLine({ guessed: false }, origin), isRunning: true, status, rows, sentence: '' }),
  ).toEqual([
    'Sconce is running at http://192.168.1.20:8888/',
    'Version 0.2.0 on Debian GNU/Linux 13 (Raspberry Pi)',
    'Needs you for 2: Broker, Screen power.',
    '',
    '  ! Broker       needs you The broker refused the user name or the password. Enter the right ones.',
    '  ! Screen power needs you The screen may not be switched by this user.',
    '      missing: The group video.',
    '      fix:     sudo usermod -aG video anna',
    '               Adds anna to the group. It counts after a restart.',
    '  - Camera       not here  No camera is connected to this machine.',
    '  + 4 work: screen, touch and keys, volume, storage',
  ]);
  expect(doctorStatus({ ...status, state: 'needs_you' }, rows)).toBe(1);
});

it('reads so in Hardened mode, and where approving is barred', () => {
  const security = {
    mode: 'hardened',
    place: 'screen',
    place_detail: null,
    pending: 0,
    silent: false,
    barred: [],
  } as const;
  const report = (barred: readonly string[]) => {
    const rows = [
      ...works,
      camera,
      ...securityRows({ ...security, barred: barred.map((message) => ({ code: 'vnc', message, command: null })) }),
    ];
    const opening = runningLine({ guessed: false }, origin);
    const lines = text({ opening, isRunning: true, status, rows, sentence: 'This panel is working.' });
    return { lines: lines.slice(2), status: doctorStatus(status, rows) };
  };
  expect(report([])).toEqual({
    lines: [
      'This panel is working.',
      '',
      '  - Camera        not here  No camera is connected to this machine.',
      '  + Security mode working   Hardened: it asks on its screen.',
      '  + 4 work: screen, touch and keys, volume, storage',
    ],
    status: 0,
  });
  expect(report(['A VNC server can be reached on port 5900.'])).toEqual({
    lines: [
      'Needs you: Security mode.',
      '',
      '  ! Security mode needs you Hardened, and nothing can be approved. A VNC server can be reached on port 5900.',
      '  - Camera        not here  No camera is connected to this machine.',
      '  + 4 work: screen, touch and keys, volume, storage',
    ],
    status: 1,
  });
});

it('reads so while Home Assistant does not answer, and while it restarts', () => {
  const report = (state: 'gone' | 'restarting') => {
    const rows = [...works, broker, away(state), camera];
    const document = { ...status, state: state === 'gone' ? 'needs_you' : 'checking' } as const;
    const lines = text({
      opening: runningLine({ guessed: false }, origin),
      isRunning: true,
      status: document,
      rows,
      sentence: ownSentence({ ...document, sentence: rows[5]?.detail ?? '', next: null }),
    });
    return { lines: lines.slice(2), status: doctorStatus(document, rows) };
  };
  expect(report('gone')).toEqual({
    lines: [
      'Needs you: Home Assistant.',
      '',
      '  ! Home Assistant needs you The panel gets no answer from Home Assistant. Check that it runs; the panel keeps trying and comes back on its own.',
      '  - Camera         not here  No camera is connected to this machine.',
      '  + 5 work: screen, touch and keys, volume, storage, broker',
    ],
    status: 1,
  });
  expect(report('restarting')).toEqual({
    lines: [
      'Waiting for Home Assistant.',
      '',
      '  ? Home Assistant checking  Home Assistant is starting. The panel waits for it.',
      '  - Camera         not here  No camera is connected to this machine.',
      '  + 5 work: screen, touch and keys, volume, storage, broker',
    ],
    status: 0,
  });
});

it('reads so beside an agent that does not answer', () => {
  expect(
    text({
      opening: notRunningLine({ found: 'mute', port: 8888 }, asked, { shape: 'kiosk', user: 'sconce' }, 'anna'),
      isRunning: false,
      status,
      rows: [...works, camera],
      sentence: foundSentence(status),
    }),
  ).toEqual([
    'Sconce is running here, but does not answer on port 8888. Restart it: sudo systemctl restart sconce',
    'Checking this machine instead: version 0.2.0 on Debian GNU/Linux 13 (Raspberry Pi)',
    'Everything found here works.',
    '',
    '  - Camera not here  No camera is connected to this machine.',
    '  + 4 work: screen, touch and keys, volume, storage',
  ]);
});

it('says last what is known of updates, where that was asked for', () => {
  const outcome = {
    status: 'behind',
    runsAs: 'installed',
    commits: 3,
    version: '0.3.0',
    subject: 'fix(led): x',
  } as const;
  expect(
    text({
      opening: runningLine({ guessed: false }, origin),
      isRunning: true,
      status,
      rows: works,
      notes: ['No memory is counted.'],
      updates: updateWords(outcome, '0.2.0'),
      sentence: 'This panel is working.',
    }).slice(2),
  ).toEqual([
    'This panel is working.',
    '',
    '  + 4 work: screen, touch and keys, volume, storage',
    '',
    '  Note: No memory is counted.',
    '',
    '  An update is available: version 0.3.0, 3 commits ahead.',
    '      fix:     git pull && sudo bin/sconce install',
    '               In the folder that you cloned. Fetches and installs the update, then restarts the panel.',
  ]);
});
