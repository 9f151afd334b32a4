import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

// The debugging daemon of an Android panel, as far as the real adb server talks to it over the network: the protocol's
// messages (24 bytes: command, two arguments, length, sum of the bytes, command inverted), without a credential.
const [CNXN, OPEN, OKAY, WRTE, CLSE] = [0x4e584e43, 0x4e45504f, 0x59414b4f, 0x45545257, 0x45534c43] as const;
const VERSION = 0x01000000;
const MOST = 4096;

function message(command: number, first: number, second: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(command, 0);
  head.writeUInt32LE(first, 4);
  head.writeUInt32LE(second, 8);
  head.writeUInt32LE(payload.length, 12);
  head.writeUInt32LE(
    payload.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    16,
  );
  head.writeUInt32LE((command ^ 0xffffffff) >>> 0, 20);
  return Buffer.concat([head, payload]);
}

/** An Android panel in memory. */
export interface AndroidPanel {
  awake: boolean;
  locked: boolean;
  brightness: number;
  mode: number;
  step: number;
  reboots: number;
  /** Whether a reboot was begun: its stream stays open and says nothing. */
  rebooting: boolean;
  readonly services: string[];
}

const words = (line: string): readonly string[] =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word]) => (word ?? '').replaceAll("'\\''", "'"));

/** One command of the panel's shell; null for one that it does not have. */
function shell(panel: AndroidPanel, [program, ...args]: readonly string[]): string | null {
  switch ([program, ...args.slice(0, 2)].join(' ')) {
    case 'input keyevent 223':
      panel.awake = false;
      return '';
    case 'input keyevent 224':
      panel.awake = true;
      return '';
    case 'dumpsys power':
      return `POWER MANAGER\n  mWakefulness=${panel.awake ? 'Awake' : 'Asleep'}\n`;
    case 'locksettings verify':
      return panel.locked ? 'Old password provided incorrect\n' : 'Lock credential verified successfully\n';
    case 'settings get system':
      return `${panel.brightness}\n`;
    case 'settings put system':
      if (args[2] === 'screen_brightness') panel.brightness = Number(args[3]);
      else panel.mode = Number(args[3]);
      return '';
    case 'cmd media_session volume':
      if (args.includes('--set')) panel.step = Number(args.at(-1));
      return `[V] will control stream=3 (STREAM_MUSIC)\n[V] volume is ${panel.step} in range [0..15]\n`;
    case 'pm list packages':
      return 'package:com.android.settings\npackage:org.example.panel\n';
    default:
      return program === 'getprop' ? 'px30_evb\n' : program === 'input' ? '' : null;
  }
}

const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(10_000, 7)]);

function answer(panel: AndroidPanel, service: string): Buffer {
  panel.services.push(service);
  if (service === 'exec:screencap -p') return PICTURE;
  if (service.startsWith('reboot:')) {
    panel.reboots += 1;
    panel.rebooting = true;
    return Buffer.alloc(0);
  }
  const line = service.replace(/^shell:/, '').replace(/; echo "exit=\$\?"$/, '');
  let text = '';
  for (const part of line.split(' && ')) {
    const said = shell(panel, words(part));
    if (said === null) return Buffer.from(`${text}exit=127\r\n`);
    text += said.replaceAll('\n', '\r\n');
  }
  return Buffer.from(`${text}exit=0\r\n`);
}

/** Starts the daemon on a free port of the loopback. */
export async function startAdbd(): Promise<{
  readonly panel: AndroidPanel;
  readonly port: number;
  readonly cut: () => void;
  readonly end: () => Promise<void>;
}> {
  const panel: AndroidPanel = {
    awake: true,
    locked: false,
    brightness: 120,
    mode: 1,
    step: 5,
    reboots: 0,
    rebooting: false,
    services: [],
  };
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    let bytes = Buffer.alloc(0);
    let streams = 0;
    const pending = new Map<number, { readonly host: number; rest: Buffer }>();
    const feed = (local: number): void => {
      const stream = pending.get(local);
      if (stream === undefined) return;
      // As the real one does (reboot_service): it waits for its own end.
      if (panel.rebooting) return;
      if (stream.rest.length === 0) {
        pending.delete(local);
        socket.write(message(CLSE, local, stream.host));
        return;
      }
      socket.write(message(WRTE, local, stream.host, stream.rest.subarray(0, MOST)));
      stream.rest = stream.rest.subarray(MOST);
    };
    const take = (command: number, first: number, second: number, payload: Buffer): void => {
      if (command === CNXN)
        socket.write(
          message(
            CNXN,
            VERSION,
            MOST,
            Buffer.from('device::ro.product.name=panel;ro.product.model=PX30;ro.product.device=px30_evb;\0'),
          ),
        );
      else if (command === OPEN) {
        streams += 1;
        pending.set(streams, { host: first, rest: answer(panel, payload.toString('utf8').replace(/\0$/, '')) });
        socket.write(message(OKAY, streams, first));
        feed(streams);
      } else if (command === OKAY) feed(second);
      else if (command === CLSE) pending.delete(second);
    };
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 24 && bytes.length >= 24 + bytes.readUInt32LE(12)) {
        const length = bytes.readUInt32LE(12);
        take(bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.subarray(24, 24 + length));
        bytes = bytes.subarray(24 + length);
      }
    });
    socket.on('error', () => {});
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer(serve);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    panel,
    // A server that listens on a port has an address of this kind.
    port: (server.address() as AddressInfo).port,
    cut: () => {
      panel.rebooting = false;
      for (const socket of sockets) socket.destroy();
    },
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
