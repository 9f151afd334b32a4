import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { AdbDriver, AdbDriverCommand, AdbFact, AdbOutcome, AdbTarget, AdbTask } from '#machines/adb/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { AdbLink } from './link.ts';
import { type AdbRefusal, AdbServer } from './server.ts';
import { ownField } from '#machines/kit/own-field.ts';

export interface BridgeOptions {
  readonly link: AdbLink;
  /** Folder of the bridge's key and socket. */
  readonly folder: string;
  /** Pause between two scans for the devices; 2 s when absent. */
  readonly scanMs?: Milliseconds;
}

/**
 * Time limits: for the server to start listening, for a list of devices, and for connecting to one over the network.
 */
const LISTEN_MS: Milliseconds = 3_000;
const LIST_MS: Milliseconds = 2_000;
const CONNECT_MS: Milliseconds = 5_000;

/** Consecutive scans that a running server may leave unanswered before it is replaced. */
const MOST_SILENCES = 2;

/** Signature of every PNG (RFC 2083, 3.1). */
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Parses the server's list of devices: one per line, serial number and state. Lines after the 64th are ignored. */
export const parseDevices = (text: string): readonly { readonly serial: string; readonly state: string }[] =>
  text
    .split('\n')
    .slice(0, 64)
    .flatMap((line) => {
      const [, serial, state] = /^(\S{1,300})\s+(\S+)/.exec(line) ?? [];
      return serial === undefined || state === undefined ? [] : [{ serial, state }];
    });

function serialOf(target: AdbTarget): string | null {
  if (target.kind === 'only') return null;
  return target.kind === 'serial' ? target.serial : `${target.host}:${target.port}`;
}

type Phase = Extract<AdbFact, { type: 'adb.observed' }>['phase'];
type Observed = { readonly phase: Phase; readonly serial: string | null };

/**
 * Device states that only a person can resolve. The server writes "no permissions (...)" if it may not open the USB
 * device.
 */
const waitingForPerson: Readonly<Record<string, Phase>> = { unauthorized: 'unauthorized', no: 'denied' };

/** Picks the panel among the attached devices and returns its phase; `ambiguous` if several match. */
export function findPanel(devices: ReturnType<typeof parseDevices>, target: AdbTarget): Observed {
  const wanted = serialOf(target);
  const meant = wanted === null ? devices : devices.filter(({ serial }) => serial === wanted);
  if (meant.length > 1) return { phase: 'ambiguous', serial: null };
  const [panel] = meant;
  if (panel?.state === 'device') return { phase: 'online', serial: panel.serial };
  return { phase: ownField(waitingForPerson, panel?.state ?? '') ?? 'waiting', serial: null };
}

const reasons: Readonly<Record<AdbRefusal, Extract<AdbOutcome, { ok: false }>['reason']>> = {
  'no-bridge': 'offline',
  'no-answer': 'late',
  refused: 'refused',
  'too-long': 'refused',
};

async function perform(link: AdbLink, { command }: AdbTask, signal: AbortSignal): Promise<AdbOutcome> {
  if (command.do === 'screenshot') {
    const picture = await link.picture(signal);
    if (!picture.ok) return { ok: false, reason: reasons[picture.reason] };
    // For a protected or dark screen `screencap` prints a message instead of a picture.
    return picture.value.subarray(0, PNG.length).equals(PNG)
      ? { ok: true, text: '', png: picture.value }
      : { ok: false, reason: 'refused' };
  }
  const answer = await link.run(command, signal);
  return answer.ok ? { ok: true, text: answer.value, png: null } : { ok: false, reason: reasons[answer.reason] };
}

/** Keeps the bridge's server running while a device is wanted, scans for devices, and connects to a network device. */
export const adbBridge = ({ link, folder, scanMs = 2_000 }: BridgeOptions): AdbDriver =>
  fromDriver<AdbDriverCommand, undefined, AdbFact>(({ send, onEvent, guard, signal }) => {
    const server = new AdbServer(folder);
    let reported: Phase | null = null;
    let silences = 0;
    /** Ends the scans for the current target. */
    let endScans = (): void => {};

    const report = ({ phase, serial }: Observed): void => {
      link.use(serial === null ? null : { server, serial });
      if (phase === reported) return;
      reported = phase;
      send(phase === 'denied' ? { type: 'adb.observed', phase, user: ownUser() } : { type: 'adb.observed', phase });
    };
    const lost = guard((): void => report({ phase: 'no-bridge', serial: null }));
    const list = async (wanted: AdbTarget, until: AbortSignal): Promise<Observed> => {
      if (!server.start(lost) || !(await server.listens(until, LISTEN_MS))) return { phase: 'no-bridge', serial: null };
      const listed = await server.ask('devices', until, LIST_MS);
      return listed.ok ? findPanel(parseDevices(listed.value), wanted) : { phase: 'no-bridge', serial: null };
    };
    const scan = async (wanted: AdbTarget, until: AbortSignal): Promise<void> => {
      const observed = await list(wanted, until);
      if (until.aborted) return;
      silences = observed.phase === 'no-bridge' ? silences + 1 : 0;
      // The server runs but does not answer, or its socket is gone: only a new one helps.
      if (silences >= MOST_SILENCES) {
        silences = 0;
        server.stop();
      }
      report(observed);
      if (observed.phase === 'waiting' && wanted.kind === 'network')
        await server.ask(`connect:${wanted.host}:${wanted.port}`, until, CONNECT_MS);
    };
    const scanFor = (wanted: AdbTarget): (() => void) => {
      // Aborted when the target changes, so that the next scan does not wait for a connection attempt that cannot
      // succeed.
      const ended = new AbortController();
      const scans = rounds({ guard, signal: ended.signal }, async () => {
        await scan(wanted, ended.signal);
        return scanMs;
      });
      scans.now();
      return () => {
        ended.abort();
        void scans.stop();
      };
    };

    onEvent(async (command) => {
      if (command.type === 'adb.do') {
        const outcome = await perform(link, command, signal);
        send({ type: 'adb.done', requestId: command.requestId, outcome });
        return;
      }
      reported = null;
      endScans();
      // No further command may reach the previous device.
      link.use(null);
      if (command.target === null) server.stop();
      else endScans = scanFor(command.target);
    });
    return () => {
      endScans();
      link.use(null);
      server.stop();
    };
  });
