import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Agent } from './agent.ts';

const answers = [
  '/',
  '/configure',
  '/configure/home-assistant',
  '/configure/mqtt',
  '/glass',
  '/sign-in',
  '/logs',
  '/history',
  '/api/v1/status',
  '/api/v1/diag',
  '/api/v1/config',
  '/api/v1/ha/oauth/status',
  '/api/v1/history',
];

/** The credential that the agent has stored after a sign-in. */
export function refreshTokenOf(agent: Agent): string {
  const { sections } = JSON.parse(readFileSync(join(agent.data, 'state.json'), 'utf8')) as {
    readonly sections: { readonly secrets: Readonly<Record<string, string>> };
  };
  const { refreshToken } = JSON.parse(sections.secrets['ha_oauth'] ?? '{}') as { readonly refreshToken?: string };
  expect(refreshToken?.length).toBeGreaterThan(60);
  return refreshToken ?? '';
}

/** Fails where a token of Home Assistant is in the folder of the agent's browser, in its answers or in its output. */
export async function expectNoToken(agent: Agent): Promise<void> {
  const refreshToken = refreshTokenOf(agent);
  // Every access token of the platform is a JSON Web Token, and begins with its encoded head.
  const leaks = (text: Buffer | string): boolean => text.includes(refreshToken) || text.includes('eyJhbGciOi');
  const files = readdirSync(join(agent.data, 'browser'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(agent.data, 'browser', name),
  );
  const holding = files.filter((file) => {
    try {
      return statSync(file).isFile() && leaks(readFileSync(file));
    } catch {
      // A file of a running browser may vanish between the two looks.
      return false;
    }
  });
  expect(files.length).toBeGreaterThan(10);
  expect(holding).toEqual([]);
  for (const answer of answers) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the failing one is named
    expect(leaks(await agent.text(answer)), answer).toBe(false);
  }
  expect(leaks(agent.output)).toBe(false);
}
