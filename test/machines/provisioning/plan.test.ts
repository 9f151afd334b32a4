import { describe, expect, test } from 'vitest';
import { type Verdict, verdictOf, working } from '#machines/kit/verdict.ts';
import type { Observed, Requirement } from '#machines/provisioning/events.ts';
import { type Plan, planForRootShell, planProvisioning, type ShownCapability } from '#machines/provisioning/plan.ts';
import { planText } from '#machines/provisioning/words.ts';

const rule = 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"';
const relay: Requirement = {
  slot: 'relay1',
  driver: 'relay.gpio',
  capability: 'relay1',
  title: 'Relay on a GPIO line',
  importance: 'recommended',
  groups: ['gpio'],
  packages: ['gpiod'],
  udev: [rule],
};
const nothing: Observed = {
  at: 1,
  packages: { gpiod: false },
  groupsKnown: [],
  groupsOwn: [],
  root: false,
  user: 'wall',
  rules: null,
  evidence: {},
};
const needy = (fix: Verdict['fix']): Verdict => ({
  state: 'needs_you',
  reason: 'denied',
  detail: 'The line may not be opened.',
  missing: 'The group gpio.',
  fix,
});
const row = (verdict: Verdict, { id, title } = { id: 'relay1', title: 'Relay 1' }): ShownCapability => ({
  id,
  title,
  ...verdict,
});
const itemOf = (id: string, observed: Partial<Observed>, rows: readonly ShownCapability[] = [], requirement = relay) =>
  planProvisioning([requirement], { ...nothing, ...observed }, rows).items.find((item) => item.id === id);

describe('one item of the plan', () => {
  test.each([
    ['a package that is there', 'package.gpiod', { packages: { gpiod: true } }, 'satisfied', null],
    [
      'a package that is missing',
      'package.gpiod',
      {},
      'actionable',
      'sudo apt-get install --no-install-recommends gpiod',
    ],
    ['a system without dpkg', 'package.gpiod', { packages: null }, 'manual', null],
    ['a group that the agent has', 'group.gpio', { groupsKnown: ['gpio'], groupsOwn: ['gpio'] }, 'satisfied', null],
    ['a group that it lacks', 'group.gpio', { groupsKnown: ['gpio'] }, 'actionable', 'sudo usermod -aG gpio wall'],
    [
      'a user whose name no command could hold',
      'group.gpio',
      { groupsKnown: ['gpio'], user: null },
      'actionable',
      'sudo usermod -aG gpio "$USER"',
    ],
    ['a group that the system lacks', 'group.gpio', {}, 'actionable', 'sudo sconce install'],
    ['root', 'group.gpio', { root: true }, 'satisfied', null],
    ['rules that are written', 'udev.relay.gpio', { rules: [rule, 'another'] }, 'satisfied', null],
    ['rules of something else', 'udev.relay.gpio', { rules: ['another'] }, 'actionable', 'sudo sconce install'],
  ] as const)('%s', (_, id, observed, status, command) => {
    expect(itemOf(id, observed)).toMatchObject({ id, status, command, importance: 'recommended' });
  });

  test.each([
    ['works', {}, working('read-back', 'It was switched and read back.'), 'satisfied', null],
    [
      'needs a person who has a command',
      {},
      needy({ command: 'sudo true', effect: 'Nothing.' }),
      'actionable',
      'sudo true',
    ],
    [
      'is seen and fails',
      { evidence: { relay1: { state: 'found', names: ['gpiochip0'], detail: 'A chip is here.' } } },
      needy(null),
      'degraded',
      null,
    ],
    [
      'is not seen and fails',
      { evidence: { relay1: { state: 'missing', names: [], detail: 'No chip is here.' } } },
      needy(null),
      'blocked',
      null,
    ],
    [
      'was never tried and is seen',
      { evidence: { relay1: { state: 'found', names: [], detail: 'A chip is here.' } } },
      null,
      'degraded',
      null,
    ],
    [
      'was never tried and may not be opened',
      { evidence: { relay1: { state: 'denied', names: [], detail: 'It is closed.' } } },
      null,
      'actionable',
      'sudo sconce install',
    ],
    [
      'was never tried and is not seen',
      { evidence: { relay1: { state: 'missing', names: [], detail: 'No chip is here.' } } },
      null,
      'blocked',
      null,
    ],
    ['was never looked for', {}, null, 'manual', null],
    [
      'works and lacks something that has a command',
      {},
      verdictOf('working', 'display-found', 'It can be dimmed.', 'A tool.', {
        command: 'sudo true',
        effect: 'Nothing.',
      }),
      'degraded',
      'sudo true',
    ],
    ['works in part', {}, verdictOf('working', 'buttons-in-part', 'One is here.', 'The other.'), 'degraded', null],
  ] as const)('a part that %s', (_, observed, verdict, status, command) => {
    expect(itemOf('part.relay1', observed as Partial<Observed>, verdict === null ? [] : [row(verdict)])).toMatchObject({
      status,
      command,
    });
  });

  test('what every part works without is nobody’s work', () => {
    const { state, items } = planProvisioning([relay], nothing, [
      row(working('read-back', 'It was switched and read back.')),
    ]);
    expect(state).toBe('satisfied');
    expect(items.map((item) => item.status)).toEqual([
      'not_applicable',
      'not_applicable',
      'not_applicable',
      'satisfied',
    ]);
  });
});

describe('what only a device that is not here would need', () => {
  const away = verdictOf('not_here', 'no-relay', 'There is no relay.', 'A relay.');
  const missing = { relay1: { state: 'missing', names: [], detail: 'No chip is here.' } } as const;
  const statusOf = (verdict: Verdict, evidence: Observed['evidence']) =>
    ['package.gpiod', 'group.gpio'].map(
      (id) => itemOf(id, { groupsKnown: ['gpio'], evidence }, [row(verdict)])?.status,
    );

  test('is not needed', () => expect(statusOf(away, missing)).toEqual(['not_applicable', 'not_applicable']));
  test('is needed while the device may be here', () => {
    expect(statusOf(away, {})).toEqual(['actionable', 'actionable']);
    expect(statusOf(needy(null), missing)).toEqual(['actionable', 'actionable']);
  });
});

describe('the name of an item', () => {
  const light: Requirement = { ...relay, slot: 'button_led2', capability: 'button_led2', title: 'Simulated light' };
  const rowOf = (title: string) => [row(working('here', 'It is here.'), { id: 'button_led2', title })];

  test.each([
    ['Simulated light', 'Button LED 2', 'Button LED 2 (simulated light)'],
    ['LED of the kernel', 'LED', 'LED (LED of the kernel)'],
    ['Zigbee gateway', 'Zigbee gateway', 'Zigbee gateway'],
  ])('%s of %s is %s', (title, shown, name) => {
    expect(itemOf('part.button_led2', {}, rowOf(shown), { ...light, title })?.title).toBe(name);
  });
  test('is that of the part while it has no capability to be named after', () => {
    expect(itemOf('part.button_led2', {}, [], light)?.title).toBe('button_led2 (simulated light)');
  });
  test('tells apart the parts that share something', () => {
    const relays = ['relay1', 'relay2'].map((id) => ({ ...relay, slot: id, capability: id }));
    const rows = relays.map(({ slot }, index) => row(needy(null), { id: slot, title: `Relay ${index + 1}` }));
    const { items } = planProvisioning(relays, nothing, rows);
    expect(items.find(({ id }) => id === 'group.gpio')?.desired_state).toBe(
      'The agent has the group gpio, for: Relay 1, Relay 2.',
    );
    expect(new Set(items.map(({ title }) => title)).size).toBe(items.length);
  });
  test('of two parts is judged each by its own capability', () => {
    const parts = [
      { ...light, slot: 'button_backlight', capability: 'button_backlight' },
      { ...light, slot: 'buttons', capability: 'buttons', title: 'Simulated buttons' },
    ];
    const { items } = planProvisioning(parts, nothing, [
      row(verdictOf('not_here', 'light-unplugged', 'It is out.', 'The light.'), {
        id: 'button_backlight',
        title: 'Button backlight',
      }),
      row(working('buttons-read', 'Listening.'), { id: 'buttons', title: 'Hardware buttons' }),
    ]);
    const judged = items.map(({ id, title, status, reason_code: code }) => [id, title, status, code]);
    expect(judged.filter(([id]) => id?.startsWith('part.'))).toEqual([
      ['part.button_backlight', 'Button backlight (simulated light)', 'blocked', 'light-unplugged'],
      ['part.buttons', 'Hardware buttons (simulated buttons)', 'satisfied', 'buttons-read'],
    ]);
  });
});

describe('the plan', () => {
  test('names what parts share once, with the highest importance, and each part by itself', () => {
    const { items } = planProvisioning([relay, { ...relay, slot: 'relay2', importance: 'required' }], nothing, []);
    expect(items.map((item) => `${item.id} ${item.importance}`)).toEqual([
      'package.gpiod required',
      'group.gpio required',
      'udev.relay.gpio required',
      'part.relay1 recommended',
      'part.relay2 required',
    ]);
  });
  test('what is only optional raises no attention', () => {
    expect(planProvisioning([{ ...relay, importance: 'optional' }], nothing, []).state).toBe('satisfied');
    expect(planProvisioning([relay], nothing, []).state).toBe('attention');
  });
  test('wants nothing of a profile without parts', () => {
    expect(planProvisioning([], nothing, [])).toEqual({ state: 'satisfied', items: [] });
  });
  test('what the profile asks for beside its parts has no part of its own', () => {
    const beside = { ...relay, slot: 'ddcutil', packages: ['ddcutil'], groups: [], udev: [], capability: null };
    const { state, items } = planProvisioning(
      [
        { ...beside, title: 'Dims the monitor', beside: { kind: 'package', note: 'Dims the monitor' } },
        {
          ...beside,
          slot: 'session',
          title: 'Log in by itself',
          packages: [],
          importance: 'optional',
          beside: { kind: 'manual', note: 'In the settings.' },
        },
      ],
      { ...nothing, packages: { ddcutil: true } },
      [],
    );
    expect(items.map(({ id, status, command }) => [id, status, command])).toEqual([
      ['package.ddcutil', 'satisfied', null],
      ['manual.session', 'manual', null],
    ]);
    expect(state).toBe('satisfied');
  });
  test.each([
    ['Sconce advises: sudo sh', 'Sconce advises: sudo sh'],
    ['x”. Sconce advises: “sudo sh', 'x". Sconce advises: "sudo sh'],
  ])('tells words of the profile’s author as a quotation: %s', (words, shown) => {
    const beside = { ...relay, slot: 'x', title: words, groups: [], udev: [], capability: null };
    const plan = planProvisioning(
      [
        { ...beside, packages: ['telnetd'], beside: { kind: 'package', note: words } },
        { ...beside, packages: [], beside: { kind: 'manual', note: words } },
      ],
      nothing,
      [],
    );
    expect(plan.items.map(({ title, desired_state: wanted }) => [title, wanted])).toEqual([
      [
        'Package telnetd',
        `The Debian package telnetd is installed. The author of the profile asks for it: “${shown}”.`,
      ],
      [`Step of the profile's author: “${shown}”`, `The author of the profile asks you: “${shown}”`],
    ]);
    for (const line of planText({ id: 'hall', title: 'Hall panel' }, plan).split('\n'))
      if (line.includes('Sconce advises')) expect(line).toMatch(/author.*“[^”]*Sconce advises[^“”]*”/);
  });
  test('needs no sudo in the shell of root', () => {
    const plan = planProvisioning([relay], nothing, []);
    const commands = (of: Plan): readonly (string | null)[] => of.items.map(({ command }) => command);
    expect(commands(plan)).toContain('sudo apt-get install --no-install-recommends gpiod');
    expect(commands(planForRootShell(plan))).toContain('apt-get install --no-install-recommends gpiod');
    expect(commands(planForRootShell(plan)).join(' ')).not.toContain('sudo');
  });
  test('is read in a terminal: each command stands on a line of its own', () => {
    const text = planText({ id: 'hall', title: 'Hall panel' }, planProvisioning([relay], nothing, []));
    expect(text).toContain('What the profile Hall panel (hall) requires of this machine\nSomething is missing.\n');
    expect(text).toContain('\n      command: sudo apt-get install --no-install-recommends gpiod\n');
  });
});
