import { describe, expect, it } from 'vitest';
import type { ExposureView } from '#machines/approvals/events.ts';
import { exposedBy, judgeListeners, listenersIn } from '#machines/approvals/exposed-by.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, state = '0A', remote = '0'.repeat(local.length - 5)): string =>
  `   0: ${local} ${remote}:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 544 1 0 100 0 0 10 0\n`;
const list = (...rows: readonly string[]): string => HEAD + rows.join('');

const any6 = '0'.repeat(32);
const local6 = `${'0'.repeat(24)}01000000`;
const mapped = (ipv4: string): string => `${'0'.repeat(16)}FFFF0000${ipv4}`;

describe('the listeners in a list of sockets', () => {
  it.each<[string, string, boolean]>([
    ['0.0.0.0', '00000000:15B3', false],
    ['127.0.0.1', '0100007F:15B3', true],
    ['127.255.1.2', '0201FF7F:15B3', true],
    ['192.168.1.127', '7F01A8C0:15B3', false],
    ['10.127.0.1', '01007F0A:15B3', false],
    ['[::]', `${any6}:15B3`, false],
    ['[::1]', `${local6}:15B3`, true],
    ['[::ffff:127.0.0.1]', `${mapped('0100007F')}:15B3`, true],
    ['[::ffff:192.168.1.5]', `${mapped('0501A8C0')}:15B3`, false],
    // fe80::7f, whose last word only looks like an address of 127/8.
    ['[fe80::7f00:0]', `000080FE${'0'.repeat(16)}0000007F:15B3`, false],
    ['[::2]', `${'0'.repeat(24)}02000000:15B3`, false],
  ])('%s', (_, local, isLoopback) => expect(listenersIn(list(row(local)))).toEqual([{ port: 5555, isLoopback }]));

  it('are only those that listen', () => {
    const text = list(row('00000000:15B3', '01'), row('00000000:15B4'), row('00000000:15B5', '06'));
    expect(listenersIn(text)?.map(({ port }) => port)).toEqual([5556]);
    expect(listenersIn(HEAD)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['another text', 'permission denied\n'],
    ['a row that is cut off', `${HEAD}   0: 00000000:15B3 0000`],
    ['a row of another form', list(row('00000000:15B3'), 'x\n')],
    ['an address of another length', list(row('000000000000:15B3'))],
  ])('cannot be told from %s', (_, text) => expect(listenersIn(text)).toBeNull());
});

describe('a listener', () => {
  const open = (port: number) => ({ port, isLoopback: false });
  const local = (port: number) => ({ port, isLoopback: true });

  it.each<[string, number, string, boolean]>([
    ['adb', 5555, 'adb-listener', true],
    ['developer tools', 9222, 'devtools-listener', true],
    ['RDP', 3389, 'remote-desktop', false],
    ['the first of VNC', 5900, 'vnc', false],
    ['the last of VNC', 5909, 'vnc', false],
    ['the first of X11', 6000, 'x11-listener', false],
    ['the last of X11', 6009, 'x11-listener', false],
  ])('of %s is found, and on loopback only where that matters', (_, port, code, onLoopback) => {
    expect(judgeListeners([open(port)])).toEqual([{ code, port }]);
    expect(judgeListeners([local(port)])).toEqual(onLoopback ? [{ code, port }] : []);
  });

  it('beside these ports is none of it', () => {
    const ports = [22, 80, 3388, 3390, 5037, 5554, 5556, 5899, 5910, 5999, 6010, 8888, 9221, 9223];
    expect(judgeListeners(ports.map(open))).toEqual([]);
  });

  it('counts once, whatever its addresses', () => {
    expect(judgeListeners([open(5901), local(5900), open(5901), open(5900)])).toEqual([
      { code: 'vnc', port: 5900 },
      { code: 'vnc', port: 5901 },
    ]);
  });
});

describe('what exposes a machine', () => {
  const safe: ExposureView = { tcp: HEAD, tcp6: HEAD, adbdRuns: false, adbdEnabled: false };
  const unreadable = { code: 'unreadable', port: null };

  it.each<[string, Partial<ExposureView>, readonly object[]]>([
    ['nothing', {}, []],
    ['nothing, without IPv6', { tcp6: '' }, []],
    ['a listener of IPv4', { tcp: list(row('00000000:15B3')) }, [{ code: 'adb-listener', port: 5555 }]],
    ['a listener of IPv6', { tcp6: list(row(`${any6}:0D3D`)) }, [{ code: 'remote-desktop', port: 3389 }]],
    ['adbd', { adbdRuns: true }, [{ code: 'adbd-running', port: null }]],
    ['its unit', { adbdEnabled: true }, [{ code: 'adbd-enabled', port: null }]],
    ['an unreadable list', { tcp: null }, [unreadable]],
    ['an empty list', { tcp: '' }, [unreadable]],
    ['an unreadable list of IPv6', { tcp6: null }, [unreadable]],
    ['a strange list', { tcp6: 'x' }, [unreadable]],
    ['hidden processes', { adbdRuns: null }, [unreadable]],
    ['hidden units', { adbdEnabled: null }, [unreadable]],
    [
      'all of it, in the order of the codes',
      { tcp: list(row('00000000:1770'), row('00000000:15B3')), tcp6: null, adbdRuns: true },
      [
        { code: 'adb-listener', port: 5555 },
        { code: 'x11-listener', port: 6000 },
        { code: 'adbd-running', port: null },
        unreadable,
      ],
    ],
  ])('%s', (_, view, findings) => expect(exposedBy({ ...safe, ...view })).toEqual(findings));
});
