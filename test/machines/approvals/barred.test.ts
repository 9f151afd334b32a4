import { describe, expect, it } from 'vitest';
import { barredBy } from '#machines/approvals/barred.ts';
import { exposureCodes, type ExposureFinding } from '#machines/approvals/events.ts';

const found = (code: ExposureFinding['code'], port: number | null = null): ExposureFinding => ({ code, port });
const portOf: Readonly<Partial<Record<ExposureFinding['code'], number>>> = {
  'adb-listener': 5555,
  'devtools-listener': 9222,
  'remote-desktop': 3389,
  vnc: 5900,
  'x11-listener': 6000,
};

describe('what bars approving', () => {
  it.each(exposureCodes)('%s is one plain sentence and one command', (code) => {
    const port = portOf[code] ?? null;
    const [reason, ...more] = barredBy([found(code, port)]);
    expect(more).toEqual([]);
    expect(reason).toMatchObject({ code, command: expect.stringMatching(/^sudo /) });
    expect(reason?.message).toMatch(/^(?:A|The) [^.]+\.$/);
    expect(reason?.message.length).toBeLessThan(100);
    if (port !== null) expect(reason?.message).toContain(`port ${port}`);
  });

  it('is nothing without a finding', () => expect(barredBy([])).toEqual([]));

  it('names each kind once, by its lowest port', () => {
    const reasons = barredBy([found('vnc', 5902), found('vnc', 5901)]);
    expect(reasons).toEqual([
      {
        code: 'vnc',
        message: 'A VNC server can be reached on port 5901.',
        command: "sudo ss -ltnp 'sport = :5901'",
      },
    ]);
  });

  it('names adbd once, by what ends it for good', () => {
    const codes = (...findings: readonly ExposureFinding[]) => barredBy(findings).map(({ code }) => code);
    const [port, runs, starts] = [found('adb-listener', 5555), found('adbd-running'), found('adbd-enabled')];
    expect(codes(port)).toEqual(['adb-listener']);
    expect(codes(port, runs)).toEqual(['adbd-running']);
    expect(codes(port, starts)).toEqual(['adbd-enabled']);
    expect(codes(port, runs, starts)).toEqual(['adbd-enabled']);
  });

  it('has at most five reasons', () => {
    const all = exposureCodes.map((code) => found(code, portOf[code] ?? null));
    expect(barredBy(all).map(({ code }) => code)).toEqual([
      'devtools-listener',
      'remote-desktop',
      'vnc',
      'x11-listener',
      'adbd-enabled',
    ]);
  });
});
