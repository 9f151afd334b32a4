import { describe, expect, it } from 'vitest';

import { notRunningLine, runningLine } from '#bin/doctor-opening.ts';

const plain = { data: null, port: 8888 };
const kiosk = { shape: 'kiosk', user: 'sconce' } as const;
const session = { shape: 'user', user: 'anna' } as const;

describe('the first line of doctor', () => {
  it.each([
    ['nothing', 'none', plain, null, 'Sconce is not running here. Start it: bin/run'],
    ['a kiosk', 'none', plain, kiosk, 'Sconce is not running here. Start it: sudo systemctl start sconce'],
    [
      "the caller's session",
      'none',
      plain,
      session,
      'Sconce is not running here. Start it: systemctl --user start sconce',
    ],
    [
      "another's session",
      'none',
      plain,
      { ...session, user: 'bert' },
      'Sconce is not running here. Start it: sudo systemctl --user -M bert@ start sconce',
    ],
    [
      'a kiosk, but a folder is named',
      'none',
      { data: '/my data', port: 8888 },
      kiosk,
      "Sconce is not running with that data folder. Start it: bin/run --data '/my data'",
    ],
    [
      'a port is named',
      'none',
      { data: null, port: 9 },
      null,
      'Sconce is not running on port 9. Start it: bin/run --port 9',
    ],
    [
      'an agent that hangs',
      'mute',
      plain,
      null,
      'Sconce is running here, but does not answer on port 8888. Stop it and start it again: bin/run',
    ],
    [
      'an installed agent that hangs',
      'mute',
      plain,
      kiosk,
      'Sconce is running here, but does not answer on port 8888. Restart it: sudo systemctl restart sconce',
    ],
    [
      'an agent that names no port',
      'silent',
      plain,
      null,
      'Sconce is starting here or belongs to another user, so its port is not known. Try again in a minute, or name the port: --port PORT',
    ],
  ] as const)('with %s here: %s', (_, found, asked, installed, line) =>
    expect(notRunningLine({ found, port: asked.port }, asked, installed, 'anna')).toBe(line),
  );

  it('has the address of an agent, and says where it may be another one', () => {
    expect(runningLine({ guessed: false }, 'http://192.168.1.20:8888')).toBe(
      'Sconce is running at http://192.168.1.20:8888/',
    );
    expect(runningLine({ guessed: true }, 'http://192.168.1.20:8888')).toMatch(
      /^Sconce is running at http:\/\/192\.168\.1\.20:8888\/ \(.* may be another one\)$/,
    );
  });
});
