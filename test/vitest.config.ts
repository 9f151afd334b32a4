import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './longest-first.ts';
import { workerArguments } from './worker-arguments.ts';

const tests = ['test/**/*.test.ts', 'test/**/*.test.tsx'];
const elsewhere = ['test/platform/**', 'test/browser/**', 'test/install/root/**', 'test/rules/bad/**'];

// Neither processes nor sockets nor waiting: these share their workers, since a process per file costs more than its
// tests.
const pure = ['actors', 'machines', 'profiles', 'routes', 'rules', 'ui'].map((room) => `test/${room}/**`);

// These hold something against the wall clock: with more files at work than there are cores a slow answer would say
// nothing about the program.
const timed = [
  'test/drivers/announcer/announcement-player.test.ts',
  'test/drivers/http/listener.test.ts',
  'test/drivers/log/identifying.test.ts',
  'test/drivers/log/redaction-in-time.test.ts',
  'test/drivers/renderer/stop.test.ts',
  'test/machines/support/redact-in-time.test.ts',
  'test/network/bodies.test.ts',
  'test/network/files.test.ts',
  'test/network/foreign-names.test.ts',
  'test/network/greedy-home.test.ts',
  'test/network/load.test.ts',
  'test/profiles/fuzz.test.ts',
  'test/profiles/yaml/read-yaml.test.ts',
  'test/scenarios/stop.test.ts',
  'test/scenarios/voice-kills.test.ts',
  'test/scenarios/wake.test.ts',
  'test/ui/yaml-words.test.ts',
];

// `bin/test all` alone runs these: they take long, and others of a plain run would notice most of what they do. The ten
// doorbells build a whole agent, which only a change of the weights breaks.
const lasting = [
  'test/drivers/renderer/faulty-home.test.ts',
  'test/drivers/renderer/question-display.test.ts',
  'test/durability/restore-kill.test.ts',
  'test/durability/room-kill.test.ts',
  'test/durability/sleep-kill.test.ts',
  'test/scenarios/backup-profile.test.ts',
  'test/scenarios/room-light.test.ts',
  'test/scenarios/room-sleep.test.ts',
  'test/scenarios/ten-doorbells.test.ts',
  'test/scenarios/three-panels.test.ts',
];
const leftOut = process.env['SCONCE_TEST_ALL'] === '1' ? [] : lasting;

for (const file of [...timed, ...lasting]) {
  // A renamed file would quietly run among others.
  if (!existsSync(new URL(`../${file}`, import.meta.url))) throw new Error(`${file} is listed by name and missing`);
}

const sequencer = longestFirst(new URL('./', import.meta.url), [
  'drivers/renderer/page',
  'scenarios/dashboard',
  'network/approvals',
  'scenarios/camera-screen',
  'broker/publisher',
  'scenarios/kill-each-part',
  'network/load',
  'scenarios/voice-kills',
  'drivers/announcer/announcement-player',
]);

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    pool: 'forks',
    // What a file became without its types is the same until it changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    // A process per file costs more than its tests; files take nothing for granted in a process.
    isolate: false,
    execArgv: ['--conditions=development', ...workerArguments],
    // It ends what hangs: in a whole run a test has what others leave of the machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer },
    reporters: ['default'],
    // Agents that are started as processes look at their answers as those in this process do.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure.flatMap((room) => [`${room}/*.test.ts`, `${room}/*.test.tsx`]),
          exclude: [...elsewhere, ...timed],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: tests,
          exclude: [...elsewhere, ...pure, ...timed, ...leftOut],
          // More than there are cores: most of the time these wait.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
