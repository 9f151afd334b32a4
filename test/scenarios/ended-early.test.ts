import { afterAll, expect, test } from 'vitest';
import { clearAway, startAgent } from './agent-process.ts';

afterAll(clearAway);

test('an agent whose program is missing is not waited for, and its last words are told', async () => {
  await expect(startAgent({ program: '/nowhere/sconce.cjs' })).rejects.toThrow(
    /ended with exit code 1 before it answered; .*Cannot find module '\/nowhere\/sconce\.cjs'/s,
  );
});

test('an agent that is killed before it answers is not waited for', async () => {
  await expect(startAgent({ wrapper: ['sh', '-c', 'echo farewell; kill -KILL $$'] })).rejects.toThrow(
    /ended by SIGKILL before it answered; .*farewell/s,
  );
});
