// What nothing uses: files, exports, types and packages. Two runs see it: one with the tests, and one of the product
// alone (`--production`), in which what only a test imports is unused as well, unless its own file uses it, too.
import type { KnipConfig } from 'knip';

const config = ({ production = false }: { readonly production?: boolean }): KnipConfig => ({
  workspaces: {
    '.': {
      // With "!": what the build starts from.
      entry: [
        'bin/main.ts!',
        // Found by the script of package.json otherwise.
        ...(production ? ['bin/build.mjs!'] : []),
        'bin/launcher.cjs!',
        'drivers/advertiser/responder-program.ts!',
        // The question of a part of the panel; no part asks one yet.
        'actors/kit/ask-at-panel.ts!',
        'ui/elements/pages.ts!',
        // In place of the server's, by the paths of ui/tsconfig.json.
        'ui/elements/jsx-runtime.ts!',
        'test/**/*.test.{ts,tsx}',
        'test/**/vitest.config.ts',
        'test/**/*.mjs',
        // Bundled or started by their paths.
        'test/bench/companion/measure.ts',
        'test/drivers/input/first-verdict.ts',
        'test/durability/day-writer.ts',
        'test/durability/mode-writer.ts',
        'test/durability/writer.ts',
        'test/hardware/guest-cases.ts',
        'test/hardware/latency/trace.cjs',
        'test/network/echoes-alone.ts',
        'test/platform/kit/lifecycle-alone.ts',
      ],
      project: ['**/*.{ts,tsx,mjs,cjs}!', '!test/**!'],
      // What is wrong there is wrong on purpose.
      ignore: ['test/rules/bad/**'],
      ignoreDependencies: [
        // The linter is started by when-changed.mjs, and loads its part for types itself.
        'oxlint',
        'oxlint-tsgolint',
        // The text of its script is read by its path (test/browser/browser.ts).
        'axe-core',
        // Loaded at run time, from a file of its own in a build (drivers/backup/zip-libraries.ts).
        'yauzl',
      ],
    },
    // Has packages of its own, and is no part of the product either; "!" keeps both runs from taking it for unused.
    'test/client': {
      entry: ['run.mjs!', 'cut.mjs!', 'client.ts!', 'families.ts!'],
      project: ['*.{ts,mjs}!'],
      // The types that run.mjs makes, with a program that it starts by its path.
      ignoreUnresolved: ['./api.ts'],
      ignoreDependencies: ['openapi-typescript'],
    },
  },
  // Programs of the system: bin/setup/test-packages names those that tests need.
  exclude: ['binaries'],
  // A decision that a test holds in a table is in use by the file that it stands in.
  ignoreExportsUsedInFile: production,
});

export default config;
