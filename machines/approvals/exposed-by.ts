import { type ExposureCode, exposureCodes, type ExposureFinding, type ExposureView } from './events.ts';

/** A TCP socket that waits for connections. */
export interface Listener {
  readonly port: number;
  /** True if only programs of this machine reach it. */
  readonly isLoopback: boolean;
}

/** Listening, in the column `st` (include/net/tcp_states.h: TCP_LISTEN). */
const LISTEN = '0A';

/** `sl local_address rem_address st ...`; addresses are words of 32 bits in the byte order of the machine. */
const ROW = /^\s*\d+: ([\dA-F]{8}|[\dA-F]{32}):([\dA-F]{4}) [\dA-F]+:[\dA-F]{4} ([\dA-F]{2}) /;

/**
 * 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/104 on a little-endian machine, as all that Sconce runs on. On another one none
 * of them would be recognised, which is the safe side.
 */
const LOOPBACK = /^(?:(?:0{16}F{4}0{4})?[\dA-F]{6}7F|0{24}01000000)$/;

/** The listeners in the text of `/proc/net/tcp` or `tcp6` (proc_net_tcp); null if it is none. */
export function listenersIn(text: string): readonly Listener[] | null {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  if (!/^\s*sl\s+local_address\s/.test(head)) return null;
  const found: Listener[] = [];
  for (const line of lines) {
    const [, address = '', port = '', state] = ROW.exec(line) ?? [];
    if (state === undefined) return null;
    if (state === LISTEN) found.push({ port: Number.parseInt(port, 16), isLoopback: LOOPBACK.test(address) });
  }
  return found;
}

interface Watched {
  readonly code: ExposureCode;
  readonly from: number;
  readonly to: number;
  /** True if programs of this machine are a danger, too: they would pass on what the network sends. */
  readonly onLoopback: boolean;
}

/** Ports by which others operate a panel: what they do there looks like a person in front of it. */
const watched: readonly Watched[] = [
  { code: 'adb-listener', from: 5555, to: 5555, onLoopback: true },
  { code: 'devtools-listener', from: 9222, to: 9222, onLoopback: true },
  { code: 'remote-desktop', from: 3389, to: 3389, onLoopback: false },
  { code: 'vnc', from: 5900, to: 5909, onLoopback: false },
  { code: 'x11-listener', from: 6000, to: 6009, onLoopback: false },
];

/** What is exposed by these listeners, each port once. */
export function judgeListeners(listeners: readonly Listener[]): readonly ExposureFinding[] {
  return watched.flatMap(({ code, from, to, onLoopback }) => {
    const ports = listeners
      .filter(({ port, isLoopback }) => port >= from && port <= to && (onLoopback || !isLoopback))
      .map(({ port }) => port);
    return [...new Set(ports)].toSorted((a, b) => a - b).map((port) => ({ code, port }));
  });
}

/** What lets others operate this machine, in the order of the codes; what cannot be read counts as found. */
export function exposedBy({ tcp, tcp6, adbdRuns, adbdEnabled }: ExposureView): readonly ExposureFinding[] {
  const lists = [tcp, tcp6].map((text) => (text === null ? null : text === '' ? [] : listenersIn(text)));
  // The kernel writes a heading even without any socket.
  const isUnreadable = tcp === '' || lists.includes(null) || adbdRuns === null || adbdEnabled === null;
  const program = (code: ExposureCode, found: boolean): readonly ExposureFinding[] =>
    found ? [{ code, port: null }] : [];
  const findings = [
    ...judgeListeners(lists.flatMap((list) => list ?? [])),
    ...program('adbd-running', adbdRuns === true),
    ...program('adbd-enabled', adbdEnabled === true),
    ...program('unreadable', isUnreadable),
  ];
  return findings.toSorted((a, b) => exposureCodes.indexOf(a.code) - exposureCodes.indexOf(b.code));
}
