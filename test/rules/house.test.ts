import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { sourceFiles, withoutComments } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui'];
const all = [...rooms, 'test'];

/** What the linter has no rule for: the pattern, where it is looked for, and the files that may. */
const bans: readonly {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly within: readonly string[];
  readonly except: readonly string[];
  readonly bad: string;
  readonly good: string;
}[] = [
  {
    rule: 'no bare fromCallback (X4)',
    pattern: /\bfromCallback\b/,
    within: all,
    except: [],
    bad: 'actors: { a: fromCallback(() => {}) }',
    good: 'fromDriver(() => {})',
  },
  {
    rule: 'no subscription to an actor outside follow (X8)',
    pattern: /\.\s*(?:subscribe|select)\s*\(/,
    within: ['machines', 'actors', 'routes', 'bin', 'profiles'],
    except: ['actors/kit/follow.ts'],
    bad: 'root\n  .subscribe({})',
    good: 'registry.follow(id)',
  },
  {
    rule: 'no look-up in the actor system outside the registry (X9)',
    pattern: /\bsystem\s*\??\.\s*(?:get|getAll)\b/,
    within: rooms,
    except: ['actors/kit/registry.ts'],
    bad: 'root.system.get("x")',
    good: 'registry.attach(root.system)',
  },
  {
    rule: 'no worker that was not made by part',
    pattern: /\brestart:\s*['"`](?:permanent|transient|temporary)\b|\bas\s+(?:unknown\s+as\s+)?(?:Part|ChildSpec)\b/,
    within: rooms,
    except: ['actors/kit/part.ts'],
    bad: "({ id: 'x', logic, restart: 'permanent' })",
    good: 'part(relays, relayMachine, {})',
  },
  {
    rule: 'no machine that is built while a module is loaded (X2)',
    pattern: /import\s*\{[^}]*\bsetup\b[^}]*\}\s*from 'xstate'/,
    within: ['machines'],
    except: ['machines/kit/setup.ts'],
    bad: "import { assign, setup } from 'xstate';",
    good: "import { setup } from '../kit/setup.ts';",
  },
  {
    rule: 'no Intl made while a module is loaded: its first use takes 20 ms of a start',
    pattern: /^(?:export\s+)?const\s+\w+\s*=\s*(?:new\s+)?(?:[[{(]\s*(?:\w+:\s*)?new\s+)?Intl\b/m,
    within: rooms,
    except: [],
    bad: "const numbers = new Intl.NumberFormat('en');",
    good: "const numbers = () => new Intl.NumberFormat('en');",
  },
  {
    rule: 'no enum',
    pattern: /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w/m,
    within: all,
    except: [],
    bad: 'export enum Colour { red }',
    good: 'z.enum(["red"])',
  },
  {
    rule: 'no default export',
    pattern: /^export default\b/m,
    within: all,
    except: [
      'test/vitest.config.ts',
      'test/browser/vitest.config.ts',
      'test/platform/vitest.config.ts',
      'test/platform/pictures/vitest.config.ts',
      'test/bench/companion/vitest.config.ts',
      'test/install/root/vitest.config.ts',
    ],
    bad: 'export default 1;',
    good: 'export const one = 1;',
  },
  {
    rule: 'no switched-off linter on a whole file',
    pattern: /(?:oxlint|eslint)-disable(?!-next-line|-line)/,
    within: rooms,
    except: [],
    bad: '/* eslint-disable */',
    good: '// oxlint-disable-next-line x',
  },
  {
    rule: 'no ts-ignore',
    pattern: /@ts-(?:ignore|nocheck|expect-error)/,
    within: rooms,
    except: [],
    bad: '// @ts-ignore',
    good: '',
  },
];
/** These look at comments themselves. */
const inComments = new Set(['no switched-off linter on a whole file', 'no ts-ignore']);

describe('the house rules', () => {
  for (const { rule, pattern, within, except, bad, good } of bans) {
    it(rule, () => {
      expect(pattern.test(bad), 'the pattern finds what is bad').toBe(true);
      expect(pattern.test(good), 'and leaves what is good').toBe(false);
      const files = sourceFiles(root, within, ['test/rules/']).filter((file) => !except.includes(file));
      expect(files.length).toBeGreaterThan(0);
      const found = files.filter((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return pattern.test(inComments.has(rule) ? text : withoutComments(text));
      });
      expect(found).toEqual([]);
    });
  }

  it('file names are lower-case kebab and not manager, helper, util, service, data, info, handle', () => {
    const names = sourceFiles(root, all);
    expect(
      names.filter(
        (file) => !/^[a-z\d]+(?:-[a-z\d]+)*(?:\.contract)?(?:\.(?:test|config|d))?\.tsx?$/.test(basename(file)),
      ),
    ).toEqual([]);
    expect(
      names.filter((file) => /(?:^|[-/])(?:manager|helper|utils?|data|info|handle)s?(?:-[a-z]+)*\.tsx?$/.test(file)),
    ).toEqual([]);
  });

  it('nothing is left to be done later', () => {
    const marks = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X\\b'].join(''));
    expect(sourceFiles(root, all).filter((file) => marks.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});
