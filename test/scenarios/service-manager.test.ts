import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { clearAway, ownFolder, startAgent } from './agent-process.ts';
import { until } from './live-agent.ts';

afterAll(clearAway);

const hasPython = spawnSync('python3', ['-c', 'import socket']).status === 0;

/** Node has no datagram sockets of this kind: a few lines of Python stand where systemd listens. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(s.recv(4096).decode().replace('\\n', ' '), flush=True)
`;

describe('under a service manager', () => {
  test('says READY once HTTP answers, gives signs of life, and says STOPPING', async (context) => {
    context.skip(!hasPython, 'python3 is not installed');
    const socket = join(ownFolder(), 'notify');
    const manager = spawn('python3', ['-c', listener, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    manager.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      await until('the manager listens', () => said.includes('bound'));
      const agent = await startAgent({ env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '200000' } });
      await until(
        'READY and three signs of life',
        () => said.includes('READY=1') && said.split('WATCHDOG=1').length > 3,
      );
      expect(await agent.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await until('STOPPING', () => said.includes('STOPPING=1'));
    } finally {
      manager.kill('SIGKILL');
    }
  }, 30_000);
});
