import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { statusLines } from '#machines/diag.ts';
import { identityView } from '#machines/identity/view.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import { descriptors } from '#machines/settings.ts';
import { StatusDocument } from '#machines/status.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

/** A tree in which that part is, in that phase. */
function treeOf(id: string, phase: TreeNode['phase']): TreeNode {
  const node = (name: string, children: TreeNode[]): TreeNode => ({
    id: name,
    kind: children.length === 0 ? 'worker' : 'group',
    phase,
    off: false,
    restarts: 0,
    reason: null,
    since: 1,
    children,
  });
  return node('root', [node('panel', [node('first', []), node(id, [])])]);
}

const settled = readStatus(fakeDeps());
const lines = statusLines(settled);
const lineOf = (head: string, all: readonly string[] = lines): string =>
  all.find((line) => line.startsWith(`[${head}] `)) ?? '';

describe('the lines of the diagnostics', () => {
  it('are of every section that says something in codes and counts', () => {
    const sections = Object.keys(StatusDocument().shape).map((name) => name.replaceAll('_', '-'));
    const heads = new Set(lines.map((line) => /^\[([a-z-]+)/.exec(line)?.[1] ?? line));
    expect(sections.filter((name) => !heads.has(name))).toEqual([
      'sentence',
      'next',
      'capabilities',
      'lights',
      'relays',
      'panel-assistant-update',
      'happened',
      'supervision',
      'taken-at',
    ]);
  });

  it('say what each field says, -1 as unmeasured and null as none', () => {
    expect(lineOf('mqtt')).toMatch(/ phase=connected protocol=5 failure=none attempt=0 source=configured /);
    expect(lineOf('volume')).toMatch(/ state=working percent=40 muted=false /);
    expect(lineOf('input')).toMatch(/ devices\.touch=1 .* last=none .* buttons=1 last_wake_ms=unmeasured$/);
    expect(lineOf('home-presence')).toMatch(/ evidence=socket-live,entities-shown shows=shown$/);
    expect(lineOf('panel')).toMatch(/ system=Debian-GNU\/Linux-13 version=0\.1\.0 /);
    expect(lineOf('configuration')).toMatch(/ dropped=0 loss=none last_failure=none unsaved_off=0$/);
    expect(lineOf('inspecting')).toBe('[inspecting] false');
  });

  it('are those of the contract, with their names', () => {
    expect(lineOf('ha-network')).toBe(
      '[ha-network] state=idle measuring=false ha_net=none ha_resp=none probes=0 misses=0 unprobed=false server_failures=0 auth_failures=0 p95_ms=-1',
    );
    expect(lineOf('ha-path-probe')).toBe(
      '[ha-path-probe] state=unproven family=ipv4 available=unowned bursts=0 echoes_sent=0 echoes_received=0 loss_percent=-1 p95_ms=-1 interval_ms=-1',
    );
  });

  it('are one for each part of a closed list', () => {
    const relay = { state: 'working', on: true, fault: 'EIO' } as const;
    const all = statusLines({ ...settled, relays: { relay2: relay, relay3: { ...relay, on: null, fault: null } } });
    expect(all).toContain('[relays.relay2] state=working on=true fault=EIO');
    expect(all).toContain('[relays.relay3] state=working on=none fault=none');
    expect(lineOf('displays.1', all)).toMatch(/ state=working name=yes lit=true /);
  });

  it('say a colour by its value', () => {
    const rest = { state: 'working', on: true, brightness: 9, effect: null, fault: null } as const;
    const all = statusLines({ ...settled, lights: { led: { ...rest, rgb: [255, 180, 80], effects: [] } } });
    expect(lineOf('lights.led', all)).toContain(' rgb=255,180,80 ');
  });

  it.each([
    ['sign_in', 'sign-in', 'sign-in'],
    ['zigbee_gateway', 'zigbee', 'zigbee-gateway'],
    ['announcement', 'announcer', 'announcement'],
  ] as const)('say of a %s that is away how its part is', (name, id, head) => {
    const with_ = (tree: TreeNode): string =>
      lineOf(head, statusLines({ ...settled, [name]: null, supervision: tree }));
    expect(with_(treeOf('other', 'running'))).toBe(`[${head}] state=absent`);
    expect(with_(treeOf(id, 'running'))).toBe(`[${head}] state=starting`);
    expect(with_(treeOf(id, 'parked'))).toBe(`[${head}] state=parked`);
  });
});

/** The same value with another text in each field of plain text, and another number in each whole number. */
function filled(schema: z.core.$ZodType, value: unknown, text: string): unknown {
  let own = schema;
  while (own instanceof z.ZodNullable || own instanceof z.ZodOptional) own = own.unwrap();
  const inner = own;
  if (inner instanceof z.ZodString) return text;
  if (inner instanceof z.ZodNumber) return 4711;
  if (inner instanceof z.ZodArray)
    return [...(Array.isArray(value) ? value : []), value].map((one) => filled(inner.element, one, text));
  if (inner instanceof z.ZodRecord)
    return Object.fromEntries(
      Object.entries(value ?? {}).map(([key, one]) => [key, filled(inner.def.valueType, one, text)]),
    );
  if (inner instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries<z.core.$ZodType>(inner.shape).map(([key, field]) => [
        key,
        key === 'children' ? [] : filled(field, Reflect.get(value ?? {}, key), text),
      ]),
    );
  return value;
}

/** What an owner may type wherever text is free. */
const MARKER = 'Marker-Family';

describe('what must not be told', () => {
  const withText = (text: string): string =>
    statusLines(filled(StatusDocument(), readStatus(fakeDeps({}, settledFacts())), text) as StatusDocument).join('\n');

  it.each([
    ['an address', '192.0.2.7'],
    ['an address with its port', 'mqtt://192.0.2.7:1883'],
    ['an address of IPv6', 'fe80::1'],
    ['an account', 'somebody@example.org'],
    ['a sentence of some length', 'The panel in the hall of the house at the end of the road, second floor.'],
  ])('is no %s, in whatever field it stands', (_, text) => {
    const told = withText(text);
    expect(told.length).toBeGreaterThan(2_000);
    expect(told).not.toContain(text);
    expect(told).not.toContain(text.replaceAll(/[ ,]+/g, '-'));
  });

  it('is a name outside the fields whose words are codes', () => {
    const fields = new Set(
      [...withText('Marker-Name').matchAll(/([\w.]+)=Marker-Name/g)].map(([, name = '']) => name.split('.').at(-1)),
    );
    const codes =
      'brightness browser by encoder failure fault fault_detail origin platform_version power power_source reason ' +
      'recovery route scan_failure screen_off_mechanism screen_off_reason screen_off_selected system version';
    expect([...fields].map(String).toSorted()).toEqual(codes.split(' '));
  });

  it('is what the owner typed into a setting', () => {
    const typed = descriptors.filter(({ type, secret }) => type === 'STRING' && !secret).map(({ key }) => key);
    expect(typed).toEqual(expect.arrayContaining(['friendly_name', 'panel_id', 'manufacturer', 'model']));
    const facts = settledFacts();
    const names = { panelId: MARKER, friendlyName: MARKER, manufacturer: MARKER, model: MARKER };
    const machine = { hostName: '', system: 'Debian', vendor: '', product: '', fingerprint: null, fingerprints: [] };
    const record = { installId: MARKER, fingerprint: null, fingerprints: [], autoPanelId: MARKER };
    const { settings, identity } = facts;
    const marked = {
      ...facts,
      settings: {
        ...Object(settings),
        values: { ...Object(settings).values, ...Object.fromEntries(typed.map((key) => [key, MARKER])) },
      },
      identity: { ...Object(identity), ...identityView(record, machine, names) },
    };
    const document = readStatus(fakeDeps({}, marked));
    expect(JSON.stringify(document)).toContain(MARKER);
    expect(statusLines(document).join('\n')).not.toContain(MARKER);
  });

  it('is when somebody was there', () => {
    const names = [...withText('code').matchAll(/([\w.]+)=4711/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => /(^|[._])(at|since|until)$/.test(name))).toEqual([]);
  });
});
