import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Logs } from '#routes/logs.ts';
import { clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, until } from './live-agent.ts';

afterAll(clearAway);

/** The kept log of a running agent, as its route declares it. */
const logsOf = async (url: string) =>
  Logs().parse(await (await fetch(`${url}/api/v1/logs?format=json&lines=5000`)).json());

test('an agent that was killed has its lines after the next start, above where it started, and knows that it was killed', async () => {
  const data = ownFolder();
  const file = join(data, 'agent.log');
  const first = await startAgent({ data });
  await post(`${first.url}/api/v1/config`, {
    mqtt_broker: 'mqtt://127.0.0.1:1',
    mqtt_user: 'someone',
    mqtt_password: 'Marker-Pa55word-9f2c',
  });
  // Of more weight than other lines, so that it does not wait.
  await until('a line on the disk', () => readFileSync(file, 'utf8').includes('The broker does not answer.'));
  await first.kill('SIGKILL');
  const second = await startAgent({ data, port: first.port });
  // What earlier runs left is read once it answers.
  const { entries } = await until('the run before', async () => {
    const logs = await logsOf(second.url);
    return logs.entries.some((entry) => entry.kind === 'started' && entry.before === 'killed') && logs;
  });
  const at = entries.findIndex((entry) => entry.kind === 'started' && entry.before === 'killed');
  const words = (from: number, to?: number): readonly string[] =>
    entries.slice(from, to).flatMap((entry) => (entry.kind === 'line' ? [entry.text] : []));
  expect(words(0, at)).toContain('The agent is ready.');
  expect(words(0, at)).toContain('The broker does not answer.');
  await until('the second start', async () =>
    (await logsOf(second.url)).entries.slice(at).some((entry) => entry.kind === 'line' && entry.text.includes('ready')),
  );

  const page = await (await fetch(`${second.url}/logs`)).text();
  expect(page).toMatch(/Sconce started here\.[^]*Before that, it was killed\.[^]*The broker does not answer\./);

  const saved = await fetch(`${second.url}/api/v1/logs?download=1`);
  expect(saved.headers.get('content-disposition')).toBe('attachment; filename="sconce-log.txt"');
  expect(await saved.text()).toMatch(
    / warn {2}The broker does not answer\.[^]*started here: the previous run was killed\./,
  );

  await second.kill('SIGTERM');
  const kept = readFileSync(file, 'utf8');
  expect(kept).not.toMatch(/Marker-Pa55word|127\.0\.0\.1|someone/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const third = await startAgent({ data, port: first.port });
  const starts = async () =>
    (await logsOf(third.url)).entries.flatMap((entry) => (entry.kind === 'started' ? [entry.before] : []));
  await until('both runs before', async () => (await starts()).length > 2);
  expect(await starts()).toEqual([null, 'killed', 'stopped']);
  await third.kill();
}, 60_000);
