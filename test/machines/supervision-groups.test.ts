import { describe, expect, it } from 'vitest';
import type { Manifest, SupervisionGroup } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { supervisionGroups, supervisionGroupsOf } from '#machines/supervision-groups.ts';
import { tags, tagsOf } from '#routes/kit/tags.ts';

const manifests: readonly Manifest[] = subsystems;
const group = (id: string, after: string | null, more: Partial<SupervisionGroup> = {}): SupervisionGroup => ({
  id,
  after,
  strategy: 'one_for_one',
  onGiveUp: 'park',
  ...more,
});
const declaring = (more: Partial<Manifest>): readonly Manifest[] => [{ ids: [], group: null, ...more }];

describe('supervision groups', () => {
  it('are those of the tree, in start order', () => {
    const rows = supervisionGroups.map(({ id, within = 'root', strategy, onGiveUp }) =>
      [id, within, strategy, onGiveUp].join(' '),
    );
    expect(rows).toEqual([
      'base root rest_for_one escalate',
      'edge root rest_for_one escalate',
      'link root one_for_one park',
      'broker link rest_for_one park',
      'panel root one_for_one park',
      'view root one_for_one park',
      'media root one_for_one park',
      'access root one_for_one park',
      'upkeep root one_for_one park',
      'heartbeat upkeep one_for_one park',
    ]);
  });

  it('are declared: no manifest names another one', () => {
    const declared = supervisionGroups.map(({ id }) => id);
    const strange = manifests.flatMap(({ ids, group: own }) =>
      own === null || declared.includes(own) ? [] : [`${ids.join(', ')} in ${own}, which nobody declares`],
    );
    expect(strange).toEqual([]);
  });

  it('are refused where two have one name, or one is within what nobody declares', () => {
    const refused =
      (...groups: readonly SupervisionGroup[]) =>
      () =>
        supervisionGroupsOf(declaring({ supervisionGroups: groups }));
    expect(refused(group('a', null), group('a', null))).toThrow('not "a" twice');
    expect(refused(group('a', null, { within: 'attic' }))).toThrow('"a" stands after "attic", which does not exist');
  });
});

describe('tags of the interface', () => {
  it('are listed in the order of their places', () =>
    expect(Object.keys(tags)).toEqual([
      'status',
      'panel',
      'configuration',
      'dashboard',
      'sign-in',
      'companion',
      'approvals',
      'profiles',
      'proximity',
      'camera',
      'voice',
      'api',
      'simulator',
      'inspector',
    ]));

  it('are refused where two have one name', () => {
    const tag = { id: 'bell', about: 'The bell.', after: null };
    expect(() => tagsOf(declaring({ tags: [tag, tag] }))).toThrow('not "bell" twice');
  });
});
