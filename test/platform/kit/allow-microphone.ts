import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Agent } from './agent.ts';

const run = promisify(execFile);

const bundle = fileURLToPath(new URL('../../../dist/sconce.cjs', import.meta.url));

/** Allows the microphone of a panel, as a person on the machine does. */
export async function allowMicrophone({ data }: Pick<Agent, 'data'>): Promise<void> {
  await run(process.execPath, [bundle, 'microphone', 'allow', '--data', data]);
}
