import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { strayImports } from './chunks.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What of the bundler's own description is read here. */
interface Built {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: string;
        readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
        readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
      }
    >
  >;
}

// Written by bin/build.mjs; its shape is esbuild's.
const { outputs } = JSON.parse(read('dist/meta.json')) as Built;

/** The chunks that are evaluated with the one of an entry. */
function closureOf(entry: string): ReadonlySet<string> {
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry);
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) visit(next);
  };
  if (first !== undefined) visit(first);
  return reached;
}

/** The modules in some chunks with the bytes that they have there. */
const modulesIn = (chunks: Iterable<string>): ReadonlyMap<string, number> =>
  new Map(
    [...chunks].flatMap((chunk) =>
      Object.entries(outputs[chunk]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]): [string, number][] =>
        bytesInOutput > 0 ? [[file, bytesInOutput]] : [],
      ),
    ),
  );

const core = modulesIn([...closureOf('bin/arguments.ts'), ...closureOf('bin/run.ts')]);
const total = (modules: ReadonlyMap<string, number>): number =>
  [...modules.values()].reduce((sum, one) => sum + one, 0);

/** Subsystems of the base and the edge, which start with the agent. */
const first = sourceFiles(root, ['machines'])
  .filter((file) => /^machines\/[^/]+\/index\.ts$/.test(file) && /group: '(?:base|edge)'/.test(read(file)))
  .map((file) => file.split('/')[1] ?? '');

describe('a chunk begins', () => {
  it('where it is told, and by one word', () => {
    const files = sourceFiles(root, ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes']);
    const imports = files.filter((file) => /\bchunk\(\(\) => import\(/.test(read(file)));
    expect(imports).toContain('bin/parts/panel.ts');
    expect(
      files
        .filter((file) => file !== 'machines/kit/chunk.ts')
        .flatMap((file) => strayImports(file, read(file)).map((fault) => `${file}:${fault}`)),
    ).toEqual([]);
  });

  const fixtures = 'test/rules/bad/chunks';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(strayImports(file, read(file))).toEqual(expected);
    });
  }
  for (const file of sourceFiles(root, [`${fixtures}/good`]))
    it(`leaves ${file}`, () => expect(strayImports(file, read(file))).toEqual([]));
});

describe('what is built', () => {
  it('has each module in one chunk', () => {
    const seen = new Map<string, string[]>();
    for (const [chunk, { inputs }] of Object.entries(outputs))
      for (const [file, { bytesInOutput }] of Object.entries(inputs))
        if (bytesInOutput > 0) seen.set(file, [...(seen.get(file) ?? []), chunk]);
    expect(seen.size).toBeGreaterThan(800);
    expect([...seen].filter(([, chunks]) => chunks.length > 1)).toEqual([]);
  });

  it('prints help and version without the rest', () => {
    const files = [...modulesIn(closureOf('bin/main.ts')).keys()];
    expect(files.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'bin/build-facts.ts',
      'bin/help-texts.ts',
      'bin/main.ts',
      'bin/usage.ts',
      'machines/kit/chunk.ts',
    ]);
  });
});

describe('the core', () => {
  it('draws no page, describes no document, and knows no library of a link', () => {
    const unwanted = [...core.keys()].filter(
      (file) =>
        file.startsWith('ui/') ||
        (file.startsWith('routes/') && !file.startsWith('routes/kit/') && !/health/.test(file)) ||
        /node_modules\/(?:hono\/dist\/(?!helper\/websocket)|(?:mqtt|home-assistant-js-websocket|@hono\/zod-openapi|js-yaml|dns-packet|ws)\/)/.test(
          file,
        ),
    );
    expect(core.size).toBeGreaterThan(200);
    expect(unwanted).toEqual([]);
  });

  it('has no machine and no actor but those of base and edge', () => {
    expect(first).toContain('settings');
    const parts = [...core.keys()].filter(
      (file) => /^machines\/[^/]+\/machine\.ts$/.test(file) || /^actors\/[^/]+\.ts$/.test(file),
    );
    const others = parts.filter(
      (file) => !first.some((name) => file.includes(`/${name}/`) || file === `actors/${name}.ts`),
    );
    expect(parts.length).toBeGreaterThan(5);
    expect(others).toEqual(['actors/tree.ts']);
  });

  /** Bytes that a subsystem may have in the core; those that had more when this was set may only become smaller. */
  const mostBytes = 8000;
  const heavier: Readonly<Record<string, number>> = {
    // With the sentence of its status.
    'auto-brightness': 8_800,
    // With the sentence of its status, and the reader of hours, by which its settings are judged.
    'auto-sleep': 15_300,
    // With the words for each state and fault, which the status document and the verdict need while it is off.
    camera: 16_500,
    'entity-filter': 24_000,
    'home-assistant': 14_500,
    mqtt: 14_500,
    'profile-catalog': 11_000,
    proximity: 21_500,
    renderer: 27_000,
    // With what it decides for its drivers, which are in the core themselves.
    screen: 10_700,
    'sign-in': 14_500,
    'storage-health': 10_200,
    // With the words for each state and fault, which the status document needs while it is off.
    voice: 14_500,
  };

  it('has of each subsystem little more than its manifest', () => {
    const of = new Map<string, number>();
    for (const [file, bytes] of core) {
      const name = /^machines\/([^/]+)\/(?!machine\.ts)/.exec(file)?.[1];
      if (name !== undefined && name !== 'kit' && !first.includes(name)) of.set(name, (of.get(name) ?? 0) + bytes);
    }
    expect(of.size).toBeGreaterThan(30);
    const over = [...of].filter(([name, bytes]) => bytes > (heavier[name] ?? mostBytes));
    expect(over).toEqual([]);
  });

  it('has of zod what is used, and no object of all its exports', () => {
    const files = [...core].filter(([file]) => file.includes('node_modules/zod/'));
    expect(files.filter(([file]) => /zod\/(?:index|v4\/(?:core\/index|classic\/external))\.js$/.test(file))).toEqual(
      [],
    );
    expect(total(new Map(files))).toBeLessThan(156_000);
  });

  it('stays small', () => expect(total(core)).toBeLessThan(1_195_000));
});

describe('the scripts of the pack', () => {
  const pack = readFileSync(join(root, 'dist/agent.pack'));
  const from = 10 + Number(pack.subarray(0, 10).toString('latin1'));
  // Written by bin/pack.mjs: where the text of each script lies, and the code that is kept of it.
  const { scripts } = JSON.parse(pack.subarray(10, from).toString('latin1')) as {
    readonly scripts: readonly {
      readonly name: string;
      readonly text: readonly [at: number, bytes: number];
      readonly code?: readonly [at: number, bytes: number];
    }[];
  };

  /** Subsystems of the worked example (machines/README.md), of which a scenario adds ten to a copy. */
  const bells = sourceFiles(root, ['machines']).filter((file) => /^machines\/\w+bell\/index\.ts$/.test(file)).length;

  /**
   * Bytes that a script may have; those that need more are the three of a start, libraries, and what few start. Each of
   * the three has more for each bell, which is off: what one adds, and a little.
   */
  const mostBytes = 25_000;
  const heavier: Readonly<Record<string, number>> = {
    'core.js': 1_278_500 + 4_500 * bells,
    'pages.js': 801_000 + 2_700 * bells,
    'late.js': 625_000 + 500 * bells,
    'drivers-mqtt-library.js': 470_000,
    'routes-openapi-document.js': 100_000,
    'drivers-http-library.js': 44_000,
    'bin-install-install.js': 42_000,
    'bin-parts-home-assistant.js': 68_500,
    // The session, the server of the stream, and the encoder.
    'bin-parts-camera.js': 85_000,
    // The model of the light, the decisions and the files of minutes.
    'bin-parts-auto-brightness.js': 32_000,
    // The decisions, and their sources.
    'bin-parts-auto-sleep.js': 69_000,
    // The turn, and the microphone.
    'bin-parts-voice.js': 63_000,
    'ui-pages-simulator-page.js': 28_500,
    'ui-pages-room-page.js': 28_000,
    'bin-parts-companion.js': 50_000,
    'bin-parts-companion-native.js': 29_000,
  };
  /** Of a library that two scripts share, such as that of mDNS; it has no name of its own. */
  const mostShared = 46_000;
  const mostOf = (name: string): number => heavier[name] ?? (name.startsWith('shared-') ? mostShared : mostBytes);

  it('keep to their bytes', () => {
    const names = scripts.map(({ name }) => name);
    expect(Object.keys(heavier).filter((name) => !names.includes(name))).toEqual([]);
    expect(scripts.filter(({ name, text }) => text[1] > mostOf(name))).toEqual([]);
  });

  it('have kept code, where a panel runs them that is set up', () => {
    const kept = scripts.filter(({ code }) => code !== undefined).map(({ name }) => name);
    expect(kept).toEqual(
      expect.arrayContaining([
        'core.js',
        'pages.js',
        'late.js',
        'drivers-mqtt-library.js',
        'bin-parts-home-assistant.js',
        'ui-pages-configure-group-page.js',
        'bin-doctor.js',
      ]),
    );
  });
});
