import { describe, expect, it } from 'vitest';

import type { DoctorRow } from '#bin/doctor-rows.ts';
import { doctorLines, doctorStatus, foundSentence, ownSentence, plainLines, restates } from '#bin/report.ts';
import { createApp } from '#routes/app.ts';
import type { StatusDocument } from '#machines/status.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

describe('what is printed of what an agent says', () => {
  it.each([
    ['plain text stays', 'Screen\n\n  + working   21 °C, “ok” …', ['Screen', '', '  + working   21 °C, “ok” …']],
    ['colours and moves of the cursor go', '\u001B[31mred\u001B[0m\u001B[2J\u001B[1;1Hhome', ['redhome']],
    ['a title for the window goes', 'a\u001B]0;owned\u0007b', ['ab']],
    ['eight-bit sequences go', 'a\u009B31mb', ['ab']],
    ['an escape without an end is none', 'a\u001B', ['a ']],
    ['nothing overwrites its own line', 'bad\rgood\b\u007F', ['bad good  ']],
    ['nothing is reordered or hidden', 'a\u202Eb\u200Bc\u2028d', ['a b c d']],
    ['lines of Windows are lines', 'a\r\nb', ['a', 'b']],
  ])('%s', (_, text, expected) => expect(plainLines(text)).toEqual(expected));

  it('is bounded, and says that there was more', () => {
    const [line = ''] = plainLines('x'.repeat(5_000_000));
    expect(line).toMatch(/^x{2000} …$/);
    const lines = plainLines('x\n'.repeat(100_000));
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toBe('…');
  });
});

const settled = (await (
  await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/status'), {})
).json()) as StatusDocument;

const row = (title: string, state: DoctorRow['state'], more: Partial<DoctorRow> = {}): DoctorRow => ({
  title,
  state,
  detail: `About ${title}.`,
  missing: null,
  fix: null,
  ...more,
});
const told = (rows: readonly DoctorRow[], warnings: readonly string[] = [], byHand: readonly string[] = []) =>
  doctorLines({
    opening: 'Sconce is running at http://192.168.1.20:8888/',
    isRunning: true,
    status: { ...settled, warnings: [...warnings] },
    rows,
    byHand,
    sentence: 'All is well.',
  }).slice(1);

describe('what doctor tells', () => {
  it('begins with what needs a person, and ends with what works in one line', () => {
    const fix = { command: 'sudo do-it', effect: 'Opens the door.' };
    const lines = told([
      row('Screen', 'working'),
      row('LED', 'working'),
      row('Camera', 'not_here', { missing: 'A lens.' }),
      row('Touch and keys', 'working'),
      row('Proximity', 'off'),
      row('Broker', 'needs_you', { fix, missing: 'An address.' }),
      row('Wi-Fi', 'checking'),
    ]);
    expect(lines.slice(1)).toEqual([
      'Needs you: Broker.',
      '',
      '  ! Broker    needs you About Broker.',
      '      missing: An address.',
      '      fix:     sudo do-it',
      '               Opens the door.',
      '  ? Wi-Fi     checking  About Wi-Fi.',
      '  o Proximity off       About Proximity.',
      '  - Camera    not here  About Camera.',
      '  + 3 work: screen, LED, touch and keys',
    ]);
  });

  it('names all that need a person, and tells of what works and yet lacks something', () => {
    const lines = told([
      row('Broker', 'needs_you'),
      row('Storage', 'working', { missing: 'More space.' }),
      row('Screen', 'needs_you'),
    ]);
    expect(lines[1]).toBe('Needs you for 2: Broker, Screen.');
    expect(lines).toContain('  + Storage working   About Storage.');
    expect(lines.join(' ')).not.toMatch(/works?:/);
  });

  it('tells hints about the machine as notes, which change neither headline nor status', () => {
    const lines = doctorLines({
      opening: '',
      isRunning: true,
      status: { ...settled, warnings: [] },
      rows: [row('Screen', 'working')],
      notes: ['No memory is counted.'],
      byHand: [],
      sentence: 'Well.',
    });
    expect(lines.slice(2)).toEqual(['Well.', '', '  + 1 works: screen', '', '  Note: No memory is counted.']);
  });

  it('says what else there is to know below the table', () => {
    const lines = told([row('Screen', 'working')], ['Nothing is touched.'], ['Switch the microphone on.']);
    expect(lines.slice(1)).toEqual([
      'All is well.',
      '',
      '  + 1 works: screen',
      '',
      '  Note: Nothing is touched.',
      '  Only you can tell: Switch the microphone on.',
    ]);
  });

  it.each([
    ['needs nobody', [row('Screen', 'working')], 0],
    ['has a part that nobody can use', [row('Camera', 'not_here'), row('Proximity', 'off')], 0],
    ['needs a person', [row('Broker', 'needs_you')], 1],
  ] as const)('ends with the status of a panel that %s', (_, rows, status) => {
    const calm = { ...settled, state: 'working' } as const;
    expect(doctorStatus(calm, rows)).toBe(status);
    expect(doctorStatus({ ...calm, state: 'needs_you' }, rows)).toBe(1);
  });

  it('says the next step of a loss, and what a machine lacks on which nothing was found', () => {
    expect(foundSentence({ ...settled, capabilities: [] })).toBe('Nothing that Sconce can control was found here.');
    const next = { title: 'Check your settings', sentence: 'Look at them.', fix: null, href: null };
    expect(ownSentence({ ...settled, state: 'needs_you', sentence: 'Settings were lost.', next })).toBe(
      'Settings were lost. Look at them.',
    );
  });
});

describe('what doctor says once', () => {
  it.each([
    ['A camera.', 'No camera is connected to this machine.', true],
    ['A calibration.', 'It is not used until it is calibrated.', true],
    ['The address of the broker.', "Enter your broker's address under Configure.", true],
    ['An answer of Home Assistant.', 'Home Assistant has gone offline. Check that it runs.', true],
    ['A broker that answers.', "Nothing listens on the broker's port.", true],
    ['Another folder, with --data.', 'Settings cannot be saved: /data is not writable.', false],
    ['Save the settings again; the copy before them is kept.', 'The file with the settings is damaged.', false],
  ])('%s beside %s: %s', (missing, detail, isSaid) => expect(restates(missing, detail)).toBe(isSaid));

  it('leaves out what a row above it says as well, and lists what was tried one a line', () => {
    const sound = 'This machine shows no sound card.';
    const lines = told([
      row('Volume', 'not_here', { detail: sound }),
      row('Announcements', 'not_here', { detail: `Announcements cannot be heard. ${sound}` }),
      row('Screen', 'not_here', { detail: 'Nothing can dim it. Tried: the kernel: none found; xset: not installed.' }),
    ]);
    expect(lines.slice(3)).toEqual([
      '  - Volume        not here  This machine shows no sound card.',
      '  - Announcements not here  Announcements cannot be heard.',
      '  - Screen        not here  Nothing can dim it. Tried:',
      '      the kernel: none found',
      '      xset: not installed',
    ]);
  });

  it('waits for what returns on its own, without telling it twice and without failing', () => {
    const restarting = row('Home Assistant', 'checking', { detail: 'Home Assistant is restarting.' });
    const lines = doctorLines({
      opening: '',
      isRunning: true,
      status: { ...settled, warnings: [] },
      rows: [restarting],
      byHand: [],
      sentence: restarting.detail,
    });
    expect(lines[2]).toBe('Waiting for Home Assistant.');
    expect(lines.join(' ').match(/is restarting/g)).toHaveLength(1);
    expect(doctorStatus({ ...settled, state: 'checking' }, [restarting])).toBe(0);
  });
});
