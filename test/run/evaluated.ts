import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a step answers, and what its second look makes of it. */
export interface Counted {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skips: readonly { readonly what: string; readonly reason: string }[];
}

/** The value of an expression over the modules of the runner, in a process of its own, whose output is dropped. */
export function evaluated(expression: string): unknown {
  const code = `import { writeSync } from 'node:fs';
    import { runLanes } from './test/run/lanes.mjs';
    import { closing, overBudget, secondLook, table } from './test/run/result.mjs';
    import { script, suite } from './test/run/steps.mjs';
    process.stdout.write = () => true;
    writeSync(1, JSON.stringify(await (${expression})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' }),
  );
}

/** What a step answers. */
export function counted(expression: string): Counted {
  // The shape is what steps.mjs returns; a wrong one fails the comparison.
  return evaluated(expression) as Counted;
}

/** A step after a second look at up to three failures, with what was unsteady. */
export function lookedAgain(expression: string): Counted & { readonly unsteady: readonly string[] } {
  const steps = `(async () => { const result = await ${expression};
    const unsteady = await secondLook([result], 3); return { ...result, unsteady }; })()`;
  // As above.
  return evaluated(steps) as Counted & { readonly unsteady: readonly string[] };
}

/** A vitest suite with one file, as an expression. */
export function suiteOf(folder: string, name: string, body: string): string {
  const config = join(folder, `${name}.config.mjs`);
  writeFileSync(join(folder, `${name}.test.mjs`), `import { beforeAll, describe, expect, it } from 'vitest';\n${body}`);
  writeFileSync(config, `export default { root: ${JSON.stringify(folder)}, test: { include: ['${name}.test.mjs'] } };`);
  return `suite('${name}', ${JSON.stringify(config)}, { withinMs: 30000 })`;
}

/** A shell script, as an expression. */
export function scriptOf(folder: string, name: string, body: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return `script('${name}', ${JSON.stringify(file)}, { withinMs: 5000 })`;
}
