import { type BarredReason, type ExposureCode, exposureCodes, type ExposureFinding } from './events.ts';

/** Most reasons that are shown: more do not fit on a small screen. */
const MOST = 5;

type Words = (port: number) => Omit<BarredReason, 'code'>;

const whichProgram = (port: number): string => `sudo ss -ltnp 'sport = :${port}'`;

const words: Readonly<Record<ExposureCode, Words>> = {
  'adb-listener': (port) => ({
    message: `A program answers on port ${port}, by which adb operates the panel.`,
    command: whichProgram(port),
  }),
  'devtools-listener': (port) => ({
    message: `A browser can be controlled through port ${port}.`,
    command: whichProgram(port),
  }),
  'remote-desktop': (port) => ({
    message: `A remote desktop can be reached on port ${port}.`,
    command: 'sudo systemctl disable --now xrdp',
  }),
  vnc: (port) => ({
    message: `A VNC server can be reached on port ${port}.`,
    command: whichProgram(port),
  }),
  'x11-listener': (port) => ({
    message: `The X server can be reached from the network on port ${port}.`,
    command: whichProgram(port),
  }),
  'adbd-running': () => ({
    message: 'The program adbd runs, by which a computer operates the panel.',
    command: 'sudo pkill -x adbd',
  }),
  'adbd-enabled': () => ({
    message: 'The program adbd starts with this machine, by which a computer operates the panel.',
    // Which of the two there is depends on the distribution.
    command: 'sudo systemctl disable --now adbd; sudo systemctl disable --now android-tools-adbd',
  }),
  unreadable: () => ({
    message: 'The panel may not see which programs run on this machine, so others may operate it.',
    command: 'sudo mount -o remount,hidepid=0 /proc',
  }),
};

/** What the command of one ends as well. */
const includes: Readonly<Partial<Record<ExposureCode, readonly ExposureCode[]>>> = {
  'adbd-enabled': ['adbd-running', 'adb-listener'],
  'adbd-running': ['adb-listener'],
};

/**
 * What bars approving, in words for the owner, with the command that ends or names it: each kind once, by its lowest
 * port, at most five.
 */
export function barredBy(findings: readonly ExposureFinding[]): readonly BarredReason[] {
  const found = new Set(findings.map(({ code }) => code));
  const ended = new Set([...found].flatMap((code) => includes[code] ?? []));
  return exposureCodes
    .filter((code) => found.has(code) && !ended.has(code))
    .slice(0, MOST)
    .map((code) => {
      const ports = findings.flatMap((finding) => (finding.code === code ? (finding.port ?? []) : []));
      return { code, ...words[code](Math.min(...ports)) };
    });
}
