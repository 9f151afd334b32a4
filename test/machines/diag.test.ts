import { describe, expect, it } from 'vitest';

import type { ActorId } from '#machines/actors.ts';
import { projectDiag } from '#machines/diag.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { slotRows } from '#profiles/slots.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

const manifests: readonly Manifest[] = subsystems;

/** A tree in which these parts are, all in one phase. */
const treeOf = (ids: readonly string[], phase: TreeNode['phase']): TreeNode => {
  const node = (id: string, children: TreeNode[]): TreeNode => ({
    id,
    kind: children.length === 0 ? 'worker' : 'group',
    phase,
    restarts: 0,
    reason: null,
    since: 1,
    children,
  });
  return node('root', [node('panel', [node('screen', []), ...ids.map((id) => node(id, []))])]);
};

const linesWith = (contexts: Readonly<Record<string, unknown>>, ids: readonly string[], phase: TreeNode['phase']) =>
  projectDiag({ ...factsFrom(contexts), tree: treeOf(ids, phase) }, []);

/** Where the head of a part's line is not its id. */
const heads: Partial<Readonly<Record<ActorId, string>>> = {
  volume: 'audio',
  announcer: 'announcement',
  buttons: 'button_backlight',
};
const slotIds = slotRows.flatMap(([, { ids }]) => ids);

describe('every part', () => {
  it.each(manifests.flatMap(({ ids, diag = [] }) => ids.map((id) => [id, diag] as const)))(
    '%s has a line of its own subsystem',
    (id, diag) => expect(diag.flatMap(({ reads }) => reads)).toContain(id),
  );
});

describe('every part that a profile may have', () => {
  it.each(slotIds.map((id) => [id, heads[id] ?? id] as const))('%s has the line [%s]', (id, head) => {
    const start = `[${head}] `;
    const only = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith(start));
    expect(only(linesWith({}, [], 'running'))).toEqual([
      id === 'screen' ? `${start}state=starting` : `${start}state=absent`,
    ]);
    expect(only(linesWith({}, [id], 'parked'))).toEqual([`${start}state=parked`]);
    expect(only(linesWith({}, [id], 'running'))).toEqual([`${start}state=starting`]);
  });

  it('says how it is once it runs', () => {
    const lines = linesWith(settledFacts(), slotIds, 'running');
    expect(lines).toContainEqual(expect.stringMatching(/^\[screen\] state=working reason=read-back lit=true /));
    expect(lines).toContainEqual(expect.stringMatching(/^\[audio\] state=working reason=read-back route=simulated /));
    expect(lines).toContain('[buttons] state=working reason=buttons-read named=1 here=1');
    expect(lines).toContainEqual(expect.stringMatching(/^\[renderer\] state=rendered reason=shown mode=builtin /));
    expect(lines).toContainEqual(expect.stringMatching(/^\[sign-in\] state=working .*phase=signed-in method=oauth /));
    expect(lines).toContainEqual(expect.stringMatching(/^\[profiles\] state=active .*selection=auto trial=false /));
  });
});

describe('a light, a relay and a sensor', () => {
  const verdict = { state: 'working', reason: 'simulated', detail: 'It works.', missing: null, fix: null };

  it('say what they do, and a sensor never what it reads', () => {
    const lines = linesWith(
      {
        led: {
          verdict,
          ability: { colour: 'rgb', effects: true },
          on: true,
          level: 40,
          lastLevel: 40,
          rgb: { red: 1, green: 2, blue: 3 },
          effect: 'pulse',
          fault: null,
        },
        relay2: { verdict, closed: true, wanted: null, restore: 'keep', fault: 'EIO' },
        illuminance: {
          verdict,
          everyMs: 2000,
          at: 1_700_000_000_000 - 4_000,
          measured: 4711,
          doubts: 1,
          offset: 2,
        },
        zigbee: {
          gateway: 'zigbeed',
          facts: { sample: null, sampledAt: null, shares: [], restarts: [] },
          state: 'healthy',
          verdict,
        },
      },
      [],
      'running',
    );
    expect(lines).toContain('[led] state=working reason=simulated colour=rgb on=true level=40 effect=pulse fault=none');
    expect(lines).toContain('[relay2] state=working reason=simulated closed=true wanted=none restore=keep fault=EIO');
    expect(lines).toContain(
      '[illuminance] state=working reason=simulated every_ms=2000 age_s=4 doubts=1 corrected=true',
    );
    expect(lines).toContain(
      '[zigbee] state=healthy gateway=zigbeed running=unknown joined=unknown cpu_percent=unknown busy=false ' +
        'running_minutes=unknown restarts_10m=0 reason=simulated',
    );
    expect(lines.join('\n')).not.toContain('4711');
  });
});

it('the catalogue counts the saved revisions, also where a bundled one is active', () => {
  const facts = settledFacts();
  const profiles = facts['profiles'] as { readonly catalog: object };
  const rows = [
    { origin: 'bundled', state: 'active' },
    { origin: 'local', state: 'inactive' },
  ];
  facts['profiles'] = { ...profiles, catalog: { ...profiles.catalog, profiles: rows } };
  expect(linesWith(facts, [], 'running')).toContainEqual(expect.stringMatching(/^\[profiles\] .* saved=1 /));
});

it('buttons that a profile does not name are absent, whatever is listened to', () => {
  const facts = settledFacts();
  facts['input'] = { ...(facts['input'] as object), named: [] };
  expect(linesWith(facts, [], 'running')).toContain('[buttons] state=absent');
});
