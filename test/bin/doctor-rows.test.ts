import { describe, expect, it } from 'vitest';

import { type DoctorItem, type DoctorRow, doctorRows, stepsByHand } from '#bin/doctor-rows.ts';

const capability: DoctorRow = {
  title: 'Relay 1',
  state: 'needs_you',
  detail: 'It cannot be opened.',
  missing: 'The right to use it.',
  fix: { command: 'sudo usermod -aG gpio wall', effect: 'Adds the group.' },
};
const item = (id: string, more: Partial<DoctorItem> = {}): DoctorItem => ({
  id,
  title: id,
  status: 'blocked',
  desired_state: 'It is there.',
  observed_state: 'It is not there.',
  command: null,
  ...more,
});
const rowsOf = (...items: readonly DoctorItem[]) => doctorRows([capability], items).slice(1);

describe('the rows of doctor', () => {
  it.each(['Relay 1', 'Relay 1 (GPIO line)'])('tell once what is in both lists: %s', (title) =>
    expect(rowsOf(item('part.relay1', { title, status: 'actionable' }))).toEqual([]),
  );
  it.each([
    ['Relay 10 (GPIO line)', 'GPIO line'],
    ['illuminance (light sensor of the kernel)', 'Light sensor of the kernel'],
    ['siren', 'Siren'],
  ])('name the part %s, which is no capability', (title, name) =>
    expect(rowsOf(item('part.x', { title }))).toMatchObject([{ title: name, state: 'not_here' }]),
  );
  it.each([
    ['satisfied', 'working'],
    ['actionable', 'needs_you'],
    ['manual', 'checking'],
    ['degraded', 'checking'],
    ['blocked', 'not_here'],
    ['not_applicable', 'off'],
  ] as const)('call a part that is %s in the plan %s', (status, state) =>
    expect(rowsOf(item('part.x', { status, command: 'do-it' }))).toEqual([
      { title: 'Part.x', state, detail: 'It is not there.', missing: null, fix: { command: 'do-it', effect: null } },
    ]),
  );
  it.each(['package.mpv', 'group.video', 'udev.relay.gpio'])(
    'tell of %s where it is missing, and no part told of its command',
    (id) => {
      const missing = item(id, { status: 'actionable', command: 'sudo other' });
      expect(rowsOf(missing)).toEqual([
        {
          title: id,
          state: 'not_here',
          detail: 'It is not there. It is there.',
          missing: null,
          fix: { command: 'sudo other', effect: null },
        },
      ]);
      expect(rowsOf({ ...missing, command: capability.fix?.command ?? '' })).toEqual([]);
      for (const status of ['satisfied', 'not_applicable', 'manual'] as const)
        expect(rowsOf({ ...missing, status })).toEqual([]);
    },
  );
  it('leave to a person what nobody else can see', () => {
    const step = item('manual.mic', { status: 'manual', desired_state: 'Switch the microphone on.' });
    expect(rowsOf(step)).toEqual([]);
    expect(stepsByHand([step, item('part.x')])).toEqual(['Switch the microphone on.']);
  });
});
