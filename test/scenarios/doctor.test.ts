import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { canMount, unmount, withMount } from '../durability/own-mounts.ts';
import { type AgentProcess, bundle, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

interface Said {
  /** Null where it did not end. */
  readonly status: number | null;
  readonly stdout: string;
}

/** `sconce doctor` on a port where nothing listens, on that of an agent, or on no port that anybody named. */
function doctor(data: string, { port = 9 as number | null, wrapper = [] as readonly string[] } = {}): Promise<Said> {
  const [program, ...args] = [
    ...wrapper,
    process.execPath,
    bundle,
    'doctor',
    ...(port === null ? [] : ['--port', String(port)]),
    '--profile',
    'simulated',
    '--data',
    data,
  ];
  // Not waited for in place: an agent closes connections meanwhile, and a test has to learn of it.
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 60_000 }, (_, stdout) =>
      resolve({ status: child.exitCode, stdout }),
    );
  });
}

/** The line into which all is folded that simply works. */
const works = (titles: string): RegExp => new RegExp(`^ {2}\\+ \\d+ work: .*${titles}`, 'm');

/** The first line, with the address of the pages. */
const runningOn = (port: number): RegExp => new RegExp(`^Sconce is running at http://[^/ ]+:${port}/\n`);

const good = JSON.stringify({ version: 1, sections: {} });

const cut: readonly [string, string] = ['garbage', '{"version":1,"sections":{"set'];
const damaged = amount(
  [cut],
  [cut, ['no text at all', '\0\0\0\0'] as const, ['JSON that is no document', '{"version":1}'] as const],
);

describe('the doctor without a running agent', () => {
  test('says first that nothing runs, and leaves a whole document and its folder as they were', async () => {
    const data = ownFolder();
    writeFileSync(join(data, 'state.json'), good);
    const said = await doctor(data);
    expect(said.stdout.split('\n')[0]).toBe(
      `Sconce is not running with that data folder. Start it: bin/run --data ${data} --port 9`,
    );
    expect(said.stdout).toContain('\nEverything found here works.\n');
    expect(said.stdout).toMatch(works('settings, storage'));
    expect(said.status).toBe(1);
    expect(readdirSync(data)).toEqual(['state.json']);
  });

  // Each kind of damage has its cases where the document is read.
  test.each(damaged)('fails on a document that is %s, names what to do and touches nothing', async (_, text) => {
    const data = ownFolder();
    writeFileSync(join(data, 'state.json'), text);
    const said = await doctor(data);
    expect(said.stdout.split('\n')[2]).toBe('Needs you: Storage.');
    expect(said.stdout).toMatch(/! Storage\s+needs you The file with the settings on the disk is damaged\./);
    expect(said.stdout).toContain('missing: Save the settings again;');
    expect(said.status).toBe(1);
    expect(readFileSync(join(data, 'state.json'), 'utf8')).toBe(text);
    expect(readdirSync(data)).toEqual(['state.json']);
  });

  test.skipIf(!canMount)(
    'fails on a disk that is almost full, and only warns of one that is getting full',
    async () => {
      const data = ownFolder();
      const on = async (options: string): Promise<Said> => {
        const said = await doctor(data, { wrapper: withMount(data, options) });
        unmount(data);
        return said;
      };
      const full = await on('size=64m');
      expect(full.stdout).toMatch(/! Storage\s+needs you The disk that holds the data folder is almost full\./);
      // What fills it stands elsewhere here, so that the command only lists.
      expect(full.stdout).toMatch(/^ {6}fix: {5}(?:sudo )?(?:du|journalctl|apt-get|find) /m);
      expect(full.status).toBe(1);
      const filling = await on('size=300m');
      expect(filling.stdout).toMatch(/\+ Storage\s+working\s+The disk that holds the data folder is getting full\./);
      expect(filling.stdout).not.toContain('Needs you');
      expect((await on('size=1g')).stdout).toMatch(works('storage'));
    },
  );

  test('says that settings cannot be saved if the folder is a file', async () => {
    const file = join(ownFolder(), 'file');
    writeFileSync(file, '');
    const said = await doctor(file);
    expect(said.stdout.split('\n')[2]).toBe('Needs you: Settings.');
    expect(said.stdout).toMatch(/! Settings\s+needs you Settings cannot be saved/);
    expect(said.status).toBe(1);
  });
});

/** An agent that lacks nothing: a broker is the one thing that a simulated panel is not born with. */
async function settled(data = ownFolder(), wrapper: readonly string[] = []): Promise<AgentProcess> {
  const agent = await startAgent({ data, wrapper });
  await until('every part was looked at', async () =>
    (await statusOf(agent.url)).capabilities.every((row) => row.state !== 'checking'),
  );
  return agent;
}

async function pullOut(url: string): Promise<void> {
  await post(`${url}/api/v1/simulator`, { plug: 'button_backlight', plugged: false });
  await until('it was missed', async () =>
    (await statusOf(url)).capabilities.some(({ reason }) => reason === 'light-unplugged'),
  );
}

describe('the doctor beside a running agent', () => {
  let agent: AgentProcess;
  beforeAll(async () => {
    agent = await settled();
    await post(`${agent.url}/api/v1/config`, { friendly_name: 'Hall' });
  }, 60_000);

  test('tells what that agent tells, its storage among it', async () => {
    const storage = await until('the document was checked', async () => {
      const { storage_health: health } = await statusOf(agent.url);
      return health.quick_check === 'ok' && health.database_bytes !== null && health.sidecar_bytes !== null
        ? health
        : null;
    });
    expect(storage).toMatchObject({ state: 'healthy', growth_bytes_per_day: null });
    const said = await doctor(agent.data, { port: agent.port });
    expect(said.stdout).toMatch(runningOn(agent.port));
    expect(said.stdout).toMatch(works('storage'));
  });

  test('finds it by its data folder, and tells each thing once, what needs a person first', async () => {
    await pullOut(agent.url);
    const said = await doctor(agent.data, { port: null });
    expect(said.stdout).toMatch(runningOn(agent.port));
    expect(said.stdout).toMatch(/- Button backlight\s+not here\s+This part of the simulated panel is pulled out/);
    expect(said.stdout.match(/button backlight/gi)).toHaveLength(1);
    const lines = said.stdout.split('\n');
    expect(lines[2]).toMatch(/^Not set up yet: open http:\/\/\S+\/setup on your phone or computer\.$/);
    expect(lines[3]).toBe('Needs you: Broker.');
    expect(lines[5]).toMatch(/^ {2}! Broker\s+needs you/);
    expect(said.stdout).toMatch(works('hardware buttons'));
    expect(said.stdout).not.toMatch(/satisfied|degraded|blocked|Something is missing/);
    expect(said.status).toBe(1);
    // The port that was named is another one; the folder is what counts.
    expect((await doctor(agent.data, { port: 9 })).stdout).toMatch(runningOn(agent.port));
  });

  test('hears of a document that was damaged under it', async () => {
    writeFileSync(join(agent.data, 'state.json'), '{"version":1,"sec');
    const said = await until('the damage was noticed', async () => {
      const now = await doctor(agent.data, { port: agent.port });
      return now.stdout.includes('The file with the settings on the disk is damaged.') ? now : null;
    });
    expect(said.status).toBe(1);
  });

  inAll(
    'says of one that hangs that it does not answer, and is not led by a killed one to another',
    async () => {
      agent.child.kill('SIGSTOP');
      const hangs = await doctor(agent.data, { port: null });
      expect(hangs.stdout).toMatch(
        new RegExp(
          `^Sconce is running here, but does not answer on port ${agent.port}\\. Stop it and start it again: bin/run `,
        ),
      );
      expect(hangs.status).toBe(1);
      await agent.kill('SIGKILL');
      writeFileSync(join(agent.data, 'state.json'), good);
      const other = await startAgent({ port: agent.port });
      await pullOut(other.url);
      const said = await doctor(agent.data, { port: null });
      expect(said.stdout).toMatch(/^Sconce is not running with that data folder\. .*\nChecking this machine instead: /);
      expect(said.stdout).toMatch(works('button backlight'));
      await other.kill();
    },
    60_000,
  );

  test.skipIf(!canMount)('fails on an agent whose disk is almost full', async () => {
    const data = join(ownFolder(), 'small');
    mkdirSync(data);
    const cramped = await settled(data, withMount(data, 'size=64m'));
    const said = await doctor(data, { port: cramped.port });
    expect(said.stdout).toMatch(/! Storage\s+needs you\s+The disk that holds the data folder is almost full/);
    expect(said.status).toBe(1);
    await cramped.kill();
    unmount(data);
  });
});
