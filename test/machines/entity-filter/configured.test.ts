import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { configuredOf, DEEPEST, MOST_EVIDENCE, MOST_ISSUES, MOST_VALUES } from '#machines/entity-filter/configured.ts';
import type { ScanInput } from '#machines/entity-filter/events.ts';
import { MOST_IDS } from '#machines/entity-filter/persisted.ts';
import { fnv1a64 } from '#machines/entity-filter/fingerprint.ts';

import { cards, existing, scanOf } from './house.ts';

const idsOf = (scan: ScanInput): readonly string[] => [...configuredOf(scan).found.keys()].toSorted();
const issuesOf = (scan: ScanInput) =>
  configuredOf(scan).issues.map(({ kind, blocks, place, subject }) => [kind, blocks, place.view, place.card, subject]);

describe('the ids that a card needs', () => {
  it.each([
    [
      'entities, with rows, actions, a header and a footer',
      {
        type: 'entities',
        title: 'light.attic lamp',
        entities: [
          'light.hall',
          { entity: 'sensor.fridge', name: 'Fridge', icon: 'mdi.fridge' },
          { type: 'call-service', action: 'script.good_night', target: { entity_id: 'climate.hall' } },
        ],
        header: { type: 'picture', image: '/local/kitchen.png', tap_action: { action: 'none' } },
        footer: { type: 'graph', entity: 'sensor.attic' },
      },
      ['climate.hall', 'light.attic', 'light.hall', 'sensor.attic', 'sensor.fridge'],
    ],
    [
      'tile, with actions and conditions of its visibility',
      {
        type: 'tile',
        entity: 'light.hall',
        tap_action: { action: 'perform-action', perform_action: 'light.turn_on', data: { entity_id: ['light.stove'] } },
        hold_action: { action: 'more-info', entity: 'climate.hall' },
        visibility: [{ condition: 'or', conditions: [{ condition: 'state', entity: 'person.anna', state: 'home' }] }],
      },
      ['climate.hall', 'light.hall', 'light.stove', 'person.anna'],
    ],
    [
      'conditional, of what it hides too',
      {
        type: 'conditional',
        conditions: [{ condition: 'numeric_state', entity: 'sensor.attic', above: 'sensor.fridge' }],
        card: { type: 'vertical-stack', cards: [{ type: 'light', entity: 'light.attic' }] },
      },
      ['light.attic', 'sensor.attic', 'sensor.fridge'],
    ],
    [
      'picture-elements',
      {
        type: 'picture-elements',
        image: '/local/plan.png',
        camera_image: 'camera.door',
        elements: [
          { type: 'state-badge', entity: 'sensor.attic', style: { top: '32%' } },
          { type: 'image', entity: 'light.hall', state_image: { on: '/local/on.png' } },
        ],
      },
      ['camera.door', 'light.hall', 'sensor.attic'],
    ],
    ['map', { type: 'map', entities: ['person.anna', { entity: 'zone.home' }] }, ['person.anna', 'zone.home']],
    ['history-graph', { type: 'history-graph', entities: [{ entity: 'sensor.attic' }] }, ['sensor.attic']],
    [
      'logbook, of a target',
      { type: 'logbook', target: { entity_id: ['light.hall'], device_id: 'fridge' } },
      ['light.hall', 'sensor.fridge'],
    ],
    ['area', { type: 'area', area: 'kitchen' }, ['light.kitchen', 'light.stove', 'sensor.fridge']],
    [
      'markdown with a template',
      { type: 'markdown', content: "{{ states('sensor.attic') }} of {{ states.light.hall.state }}, not light.nowhere" },
      ['light.hall', 'sensor.attic'],
    ],
    ['energy', { type: 'energy-distribution', link_dashboard: true }, ['sensor.grid']],
    ['power', { type: 'power-sources-graph' }, ['sensor.grid']],
    ['shopping-list', { type: 'shopping-list' }, ['todo.shopping']],
    ['thermostat', { type: 'thermostat', entity: 'climate.hall' }, ['climate.hall']],
    [
      'a card of its own kind',
      {
        type: 'custom:button-card',
        entity: 'light.hall',
        icon: "[[[ return states['sensor.attic'].state > 3 ? 'mdi:a' : 'mdi:b' ]]]",
        variables: { other: 'climate.hall', text: 'foo.bar' },
        custom_fields: { inner: { card: { type: 'custom:mini-graph-card', entities: [{ entity: 'sensor.fridge' }] } } },
        state: [{ value: '${states["light.stove"].state}' }],
      },
      ['climate.hall', 'light.hall', 'light.stove', 'sensor.attic', 'sensor.fridge'],
    ],
    [
      'one with ids as keys and named parts',
      {
        type: 'custom:power-flow-card-plus',
        entities: { grid: 'sensor.grid', home: { entity: 'sensor.attic' } },
        rows: { 'light.hall': { name: 'Hall' } },
      },
      ['light.hall', 'sensor.attic', 'sensor.grid'],
    ],
    [
      'a pop-up in an action',
      {
        type: 'button',
        tap_action: {
          action: 'fire-dom-event',
          browser_mod: { data: { content: { type: 'entities', entities: ['light.attic'] } } },
        },
      },
      ['light.attic'],
    ],
  ])('%s', (_, card, ids) => {
    expect(idsOf(cards(card))).toEqual(ids);
  });

  it('finds views, badges, sections and what stands beside the views', () => {
    const scan = scanOf({
      button_card_templates: { lamp: { variables: { entity: 'light.stove' } } },
      kiosk_mode: { entity_settings: [{ entity: { 'input_boolean.guests': 'on' } }] },
      views: [
        { title: 'Hall', badges: ['person.anna', { type: 'entity', entity: 'sensor.attic' }] },
        {
          path: 'up',
          type: 'sections',
          header: { card: { type: 'markdown', content: 'light.attic' } },
          sections: [
            { type: 'grid', cards: [{ type: 'heading', badges: [{ type: 'entity', entity: 'climate.hall' }] }] },
          ],
        },
        { cards: [{ entity: 'light.hall' }] },
      ],
    });
    const { found, issues } = configuredOf(scan);
    expect(issues).toEqual([]);
    expect(Object.fromEntries(found)).toEqual({
      'person.anna': [{ source: 'configuration', place: { view: 'Hall', card: null } }],
      'sensor.attic': [{ source: 'configuration', place: { view: 'Hall', card: 'entity' } }],
      'light.attic': [{ source: 'configuration', place: { view: 'up', card: 'markdown' } }],
      'climate.hall': [{ source: 'configuration', place: { view: 'up', card: 'heading' } }],
      'light.hall': [{ source: 'configuration', place: { view: '2', card: null } }],
      'light.stove': [{ source: 'configuration', place: { view: null, card: null } }],
      'input_boolean.guests': [{ source: 'configuration', place: { view: null, card: null } }],
    });
  });

  it('takes ids that do not exist where a key says that they are entities, and says so once', () => {
    const scan = cards(
      { type: 'tile', entity: 'light.cellar', name: 'light.none', tap_action: { url_path: 'a.b' } },
      { type: 'glance', entities: ['light.cellar'] },
      { type: 'button', tap_action: { data: { entity_id: 'light.hall, light.roof' } } },
      { type: 'area', area: 'attic', exclude_entities: ['light.gone'] },
    );
    expect(idsOf(scan)).toEqual(['light.cellar', 'light.hall', 'light.roof', 'sensor.attic']);
    expect(issuesOf(scan)).toEqual([
      ['missing', false, 'Hall', 'tile', 'light.cellar'],
      ['missing', false, 'Hall', 'button', 'light.roof'],
    ]);
  });

  it('keeps no more than three reasons of one entity, and none twice', () => {
    const tile = (type: string) => ({ type, entity: 'light.hall' });
    const { found } = configuredOf(cards(...['a', 'a', 'b', 'c', 'd'].map(tile)));
    expect(found.get('light.hall')?.map(({ place }) => place?.card)).toEqual(['a', 'b', 'c']);
  });
});

describe('targets', () => {
  it.each([
    [{ area_id: 'kitchen' }, ['light.kitchen', 'light.stove', 'sensor.fridge']],
    [{ area_id: 'hall' }, ['light.attic']],
    [{ area_id: ['attic', 'nowhere'] }, ['sensor.attic']],
    [{ device_id: 'lamp' }, ['light.attic', 'sensor.attic']],
    [{ floor_id: 'ground' }, ['light.attic', 'light.kitchen', 'light.stove', 'sensor.fridge']],
    [{ floor: 'top' }, ['sensor.attic']],
    [{ label_id: 'cold' }, ['sensor.attic', 'sensor.fridge']],
    [{ labels: ['warm'] }, ['light.kitchen', 'light.stove', 'sensor.fridge']],
    [{ label: 'Kitchen' }, []],
  ])('%o stands for what the registries say', (target, ids) => {
    const scan = cards({ type: 'button', tap_action: { action: 'perform-action', target } });
    expect(idsOf(scan)).toEqual(ids);
    expect([...configuredOf(scan).found.values()].every(([one]) => one?.source === 'target')).toBe(true);
  });
});

describe('what cannot be bounded', () => {
  it.each([
    ['a dashboard that is generated', scanOf(null), [null, null]],
    ['a configuration that is none', scanOf('views'), [null, null]],
    ['a dashboard of a strategy', scanOf({ strategy: { type: 'home' } }), [null, null]],
    ['a view of a strategy', scanOf({ views: [{ path: 'all', strategy: { type: 'area' } }] }), ['all', null]],
    [
      'a section of a strategy',
      scanOf({ views: [{ sections: [{ cards: [] }, { strategy: { type: 'custom:x' } }] }] }),
      ['0', null],
    ],
  ])('is %s', (_, scan, place) => {
    expect(issuesOf(scan)).toEqual([['strategy', true, ...place, null]]);
  });

  const filter = { include: [{ domain: 'light' }] };
  it.each([
    [{ type: 'custom:auto-entities', card: { type: 'entities' }, filter }, 'custom:auto-entities'],
    [{ type: 'conditional', card: { type: 'home-summary', summary: 'light' } }, 'home-summary'],
    [{ type: 'map', geo_location_sources: ['all'] }, 'map'],
    [{ type: 'map', show_all: true }, 'map'],
    [{ type: 'map', geo_location_sources: [], entities: ['zone.home'] }, null],
    [{ type: 'entities', entities: [{ type: 'custom:auto-entities', filter }] }, 'custom:auto-entities'],
    [{ type: 'custom:battery-state-card' }, 'custom:battery-state-card'],
    [{ type: 'custom:battery-state-card', entities: ['sensor.attic'], filter }, 'custom:battery-state-card'],
    [{ type: 'custom:battery-state-card', entities: ['sensor.attic'] }, null],
    [{ type: 'custom:flex-table-card', entities: { include: 'zwave.*' } }, 'custom:flex-table-card'],
    [{ type: 'custom:sonos-card' }, 'custom:sonos-card'],
    [{ type: 'custom:search-card' }, 'custom:search-card'],
    [{ type: 'entity-filter', entities: ['light.hall'], state_filter: ['on'] }, null],
    [{ type: 'toggle-group', entities: ['light.hall'] }, null],
    [{ type: 'updates' }, null],
    [{ type: 'repairs' }, null],
  ])('%o: %s', (card, kind) => {
    expect(issuesOf(cards(card))).toEqual(kind === null ? [] : [['enumerating-card', true, 'Hall', kind, null]]);
  });

  it('is what lies deeper than can be looked into', () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((card) => ({ card }), 'light.hall');
    expect(issuesOf(cards(nested(DEEPEST - 5)))).toEqual([]);
    expect(idsOf(cards(nested(DEEPEST - 5)))).toEqual(['light.hall']);
    expect(issuesOf(cards(nested(DEEPEST + 1)))).toEqual([['too-large', true, 'Hall', null, null]]);
    expect(issuesOf(cards(nested(20_000)))).toHaveLength(1);
  });

  it('is what has more values than can be looked at, wherever they stand', () => {
    const long = (length: number) => ({
      views: [{ path: 'a', cards: [] }, { path: 'b', cards: Array.from({ length }, () => 1) }, { path: 'c' }],
    });
    expect(issuesOf(scanOf(long(MOST_VALUES - 100)))).toEqual([]);
    expect(issuesOf(scanOf(long(MOST_VALUES)))).toEqual([['too-large', true, 'b', null, null]]);
  });

  it('is a dashboard of a house of which not all was told', () => {
    const card = cards({ type: 'entities', entities: ['light.hall'] });
    const many = Array.from({ length: MOST_IDS + 1 }, (_, at) => `light.l${at}`);
    const isBlocked = (change: Partial<ScanInput>): boolean =>
      configuredOf({ ...card, ...change }).issues.some(({ blocks }) => blocks);
    expect(isBlocked({ existing: many.slice(1) })).toBe(false);
    expect(isBlocked({ existing: many })).toBe(true);
    const entities = many.map((entityId) => ({ entityId, areaId: null, deviceId: null, labels: [] }));
    expect(isBlocked({ entities })).toBe(true);
  });

  it('is nothing where there is no dashboard at all', () => {
    expect(configuredOf(scanOf(null, { isDashboard: false }))).toEqual({ found: new Map(), issues: [] });
  });
});

describe('issues', () => {
  it('name a template once for each place, without blocking', () => {
    const content = '{% for x in states.light %}{{ x }}{% endfor %}';
    expect(issuesOf(cards({ type: 'markdown', content, title: '{{ 1 }}' }, { type: 'tile', name: content }))).toEqual([
      ['template', false, 'Hall', 'markdown', null],
      ['template', false, 'Hall', 'tile', null],
    ]);
  });

  it('keep what blocks where there are too many', () => {
    const entities = Array.from({ length: MOST_ISSUES + 50 }, (_, at) => `light.gone_${at}`);
    const { issues } = configuredOf(cards({ type: 'entities', entities }, { type: 'home-summary' }));
    expect(issues).toHaveLength(MOST_ISSUES);
    expect(issues[0]).toMatchObject({ kind: 'enumerating-card', blocks: true });
  });

  it('have the same fingerprint in every scan, and each one of its own', () => {
    const scan = () =>
      configuredOf(cards({ type: 'tile', entity: 'light.a', name: '{{ 1 }}' }, { type: 'home-summary' }));
    const prints = scan().issues.map(({ fingerprint }) => fingerprint);
    expect(prints).toEqual(scan().issues.map(({ fingerprint }) => fingerprint));
    expect(new Set(prints).size).toBe(3);
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{16}$/);
  });

  // Vectors of draft-eastlake-fnv, appendix C.
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('FNV-1a of "%s" is %s', (text, hash) => {
    expect(fnv1a64(text)).toBe(hash);
  });
});

describe('any configuration', () => {
  const text = fc.oneof(
    fc.constantFrom(...existing, 'light.gone', 'kitchen', 'cold', '{{ states("light.hall") }}', 'home-summary', 'tile'),
    fc.string({ maxLength: 20 }),
  );
  const key = fc.constantFrom('entity', 'entities', 'type', 'card', 'cards', 'area', 'label', 'action', 'x', 'views');
  const part = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.constantFrom(null, true, 7),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  const dashboard = fc.record({ views: fc.array(fc.dictionary(key, part, { maxKeys: 4 }), { maxLength: 4 }) });

  it('gives the same, whatever order the house is told in, and stays within its bounds', () => {
    fc.assert(
      fc.property(dashboard, fc.infiniteStream(fc.nat()), (configuration, seeds) => {
        const shuffled = <T>(list: readonly T[]): readonly T[] =>
          list
            .map((one) => [seeds.next().value, one] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, one]) => one);
        const scan = scanOf(configuration);
        const { found, issues } = configuredOf(scan);
        const other = configuredOf({
          ...scan,
          existing: shuffled(scan.existing),
          entities: shuffled(scan.entities),
          areas: shuffled(scan.areas),
          devices: shuffled(scan.devices),
        });
        expect(found).toEqual(other.found);
        expect(issues).toEqual(other.issues);
        for (const reasons of found.values()) expect(reasons.length).toBeLessThanOrEqual(MOST_EVIDENCE);
      }),
    );
  });

  it('is never half of a set: everything that is named is found, or something blocks', () => {
    fc.assert(
      fc.property(
        fc.subarray([...existing]),
        fc.array(fc.constantFrom('card', 'states', 'content', 'x'), { maxLength: 120 }),
        (ids, path) => {
          const inner: unknown = { type: 'entities', entities: ids };
          const card = path.reduce<unknown>((held, name) => ({ [name]: held }), inner);
          const { found, issues } = configuredOf(cards(card));
          const blocked = issues.some(({ blocks }) => blocks);
          // The card itself takes a few levels.
          if (path.length < DEEPEST - 8 || path.length > DEEPEST) expect(blocked).toBe(path.length > DEEPEST);
          expect([...found.keys()].toSorted()).toEqual(blocked ? [] : ids.toSorted());
        },
      ),
    );
  });

  it('is read in time that grows with its size alone', () => {
    const ids = Array.from({ length: 50_000 }, (_, at) => `sensor.number_${at}`);
    const scan = scanOf(
      {
        views: [
          { cards: [{ type: 'entities', entities: ids }, ...Array.from({ length: 2000 }, () => ({ area: 'attic' }))] },
          {
            cards: [
              { type: 'markdown', content: 'a'.repeat(1_000_000) },
              { type: 'x', text: 'a.'.repeat(500_000), entity: ' '.repeat(500_000) },
            ],
          },
        ],
      },
      { existing: ids, entities: ids.map((entityId) => ({ entityId, areaId: 'attic', deviceId: null, labels: [] })) },
    );
    const before = performance.now();
    expect(configuredOf(scan).found.size).toBe(50_000);
    expect(performance.now() - before).toBeLessThan(15_000);
  });
});
