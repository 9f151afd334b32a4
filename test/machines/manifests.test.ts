import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import type { ActorId } from '#machines/actors.ts';
import { capabilities } from '#machines/capabilities.ts';
import { entityRows } from '#machines/entities.ts';
import { generalProblems } from '#machines/kit/problem-codes.ts';
import { descriptors, exposableSettings } from '#machines/settings.ts';
import { StatusDocument } from '#machines/status.ts';
import type { Ambient, Manifest, ProjectionInput } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { emergencyProfile } from '#profiles/emergency.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';
import { sourceFiles, writtenEdges } from '#test/rules/read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifests: readonly Manifest[] = subsystems;
const ids = manifests.flatMap((manifest) => manifest.ids);

type SupervisedId = (typeof subsystems)[number]['ids'][number];
type Same<X, Y> = [X] extends [Y] ? ([Y] extends [X] ? true : false) : false;
/** Compiles only while the actors of `machines/actors.ts` are those of the manifests. */
const sameIds: Same<ActorId, SupervisedId> = true;

const twice = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

/** Fields of the status document that no subsystem brings. */
const generalFields = [
  'state',
  'sentence',
  'next',
  'inspecting',
  'warnings',
  'capabilities',
  'panel_assistant_update',
  'happened',
  'supervision',
  'taken_at',
];
const ownFields = manifests.flatMap(({ status }) => Object.keys(status?.shape() ?? {}));

describe('no two manifests share', () => {
  it.each<[string, readonly string[]]>([
    ['an id', ids],
    ['an entity', manifests.flatMap(({ entities }) => (entities ?? []).map(({ key }) => key))],
    ['an entity with a setting that is one', entityRows.map(({ key }) => key)],
    ['a capability', manifests.flatMap((manifest) => (manifest.capabilities ?? []).map(({ id }) => id))],
    ['a setting', manifests.flatMap(({ settings }) => Object.keys(settings?.object.shape ?? {}))],
    [
      'a place among the warnings',
      manifests.flatMap(({ warnings }) => (warnings ?? []).map(({ after }) => after ?? 'the first')),
    ],
    ['a field of the status document, nor have a general one', [...generalFields, ...ownFields]],
    [
      'a stored section',
      manifests.flatMap(({ sections, sectionFiles }) => [
        ...Object.keys(sections ?? {}),
        ...Object.keys(sectionFiles ?? {}),
      ]),
    ],
    [
      'a problem, nor have a general one',
      [...Object.keys(generalProblems), ...manifests.flatMap(({ problems }) => Object.keys(problems ?? {}))],
    ],
    [
      'a code of the history',
      manifests.flatMap(({ agentHistory, history }) =>
        [...(agentHistory ?? []), ...(history ?? [])].flatMap(({ kind, codes }) =>
          codes.map((code) => `${kind}.${code}`),
        ),
      ),
    ],
  ])('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(twice(names)).toEqual([]);
  });

  it('a field, so that the status document has all of them', () => {
    expect(Object.keys(StatusDocument().shape).toSorted()).toEqual([...generalFields, ...ownFields].toSorted());
  });
});

describe('what a manifest names', () => {
  it('is a group where it has actors, and none where it has none', () => {
    expect(manifests.filter(({ group, ids: own }) => (group === null) !== (own.length === 0))).toEqual([]);
  });

  it('of capabilities and the history is about its own actors', () => {
    const strange = manifests.flatMap(({ ids: own, capabilities: judged = [], history = [] }) =>
      [...judged, ...history].filter(({ actor }) => !own.includes(actor)),
    );
    expect(strange).toEqual([]);
  });

  it('of others exists: actors, settings that show an entity, capabilities', () => {
    expect(entityRows.filter(({ actor }) => !ids.includes(actor))).toEqual([]);
    const exposable = exposableSettings.map(({ key }) => key);
    expect(
      entityRows.filter(({ expose }) => expose !== undefined && !exposable.includes(expose)).map(({ key }) => key),
    ).toEqual([]);
    // The emergency profile has nothing: it declares everything absent that a profile can.
    const known = [...capabilities.map(({ id }) => id), ...emergencyProfile().absent];
    const needed = [...entityRows.map(({ capability }) => capability), ...descriptors.map(({ needs }) => needs)];
    expect(needed.filter((id) => id !== undefined && id !== null && !known.includes(id))).toEqual([]);
  });
});

describe('the folders of the subsystems', () => {
  const folders = readdirSync(join(root, 'machines'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const indexes = folders.map((name) => `machines/${name}/index.ts`).filter((file) => existsSync(join(root, file)));
  const declaresActor = (folder: string): boolean =>
    sourceFiles(root, [`machines/${folder}`]).some(
      (file) =>
        file === `machines/${folder}/machine.ts` ||
        /^export interface \w+Actor\b/m.test(readFileSync(join(root, file), 'utf8')),
    );

  it('each with an actor holds a manifest', () => {
    const withActor = folders.filter((name) => name !== 'kit' && declaresActor(name));
    expect(withActor.length).toBeGreaterThan(30);
    expect(withActor.filter((name) => !indexes.includes(`machines/${name}/index.ts`))).toEqual([]);
  });

  it('each manifest is among the subsystems, once', () => {
    const listed = writtenEdges(root, 'machines/subsystems.ts').map(({ to }) => to);
    expect(listed.toSorted()).toEqual(indexes.toSorted());
    expect(new Set(manifests).size).toBe(indexes.length);
    expect(manifests.length).toBe(indexes.length);
  });

  it('have the actors of machines/actors.ts and no other', () => expect(sameIds).toBe(true));
});

interface Projection {
  readonly name: string;
  readonly reads: readonly ActorId[];
  readonly uses: readonly (keyof Ambient)[];
  readonly run: (facts: ProjectionInput) => unknown;
}

const ambient = ['now', 'elapsed', 'tree', 'supervised'] as const satisfies readonly (keyof Ambient)[];

const projections = manifests.flatMap(({ ids: own, settings, status, warnings = [] }): Projection[] => {
  const name = own[0] ?? Object.keys(settings?.object.shape ?? {})[0] ?? '';
  return [
    ...(status === undefined
      ? []
      : [{ name: `${name}: status`, reads: status.reads, uses: status.uses ?? [], run: status.view }]),
    ...warnings.map(({ key, reads, uses = [], lines }) => ({
      name: `${name}: warnings of ${key}`,
      reads,
      uses,
      run: lines,
    })),
  ];
});

/** Facts of which those that are not listed are refused; `asked` gathers which were looked for. */
function guarded(
  facts: ProjectionInput,
  { reads, uses }: Pick<Projection, 'reads' | 'uses'>,
  asked: Set<string>,
): ProjectionInput {
  const ask = (listed: readonly string[], name: string): void => {
    if (!listed.includes(name)) throw new Error(`reads ${name}, which it does not list`);
    asked.add(name);
  };
  const own: ProjectionInput = {
    ...facts,
    read: (id) => {
      ask(reads, id);
      return facts.read(id);
    },
    view: (id) => {
      ask(reads, id);
      return facts.view(id);
    },
  };
  for (const name of ambient)
    Object.defineProperty(own, name, {
      get: () => {
        ask(uses, name);
        return facts[name];
      },
    });
  return own;
}

describe('what a projection reads', () => {
  it.each(projections)('$name: is what it lists, whether that is absent or not', ({ reads, uses, run }) => {
    expect(reads.filter((id) => !ids.includes(id))).toEqual([]);
    const asked = new Set<string>();
    run(guarded(factsFrom({}), { reads, uses }, asked));
    run(guarded(factsFrom(settledFacts()), { reads, uses }, asked));
    expect([...asked].toSorted()).toEqual([...reads, ...uses].toSorted());
  });

  it('is refused where it is not listed', () => {
    const [first] = projections;
    expect(() => first?.run(guarded(factsFrom({}), { reads: [], uses: [] }, new Set()))).toThrow(
      /which it does not list/,
    );
  });
});

describe('a section of the status document', () => {
  const sections = manifests.flatMap(({ status }) => status ?? []);

  it.each([
    ['away', factsFrom({})],
    ['there', factsFrom(settledFacts())],
  ])('answers with its fields and nothing else while every part is %s', (_, facts) => {
    for (const { shape, view: project } of sections) {
      const fields = project(facts);
      expect(Object.keys(fields).toSorted()).toEqual(Object.keys(shape()).toSorted());
      for (const [key, field] of Object.entries(shape())) {
        const value: unknown = Reflect.get(fields, key);
        expect(StatusDocument().shape, key).toHaveProperty(key, field);
        expect(
          StatusDocument()
            .pick({ [key]: true } as never)
            .safeParse({ [key]: value }).error,
          key,
        ).toBeUndefined();
      }
    }
  });
});
