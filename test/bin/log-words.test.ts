import { describe, expect, it } from 'vitest';

import { brokerWords, dashboardWords, partWords, passwordWords, restartWords } from '#bin/log-words.ts';
import { logSupervision } from '#bin/part-log.ts';
import { createLogger } from '#drivers/log/logger.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';

const facts: readonly SupervisionFact[] = [
  { type: 'started', id: 'mqtt', restarts: 0 },
  { type: 'started', id: 'mqtt', restarts: 2 },
  { type: 'ended', id: 'mqtt', how: 'stopped', reason: 'exited' },
  { type: 'ended', id: 'mqtt', how: 'failed', reason: 'mqtt-driver/EMFILE' },
  { type: 'killed', id: 'mqtt' },
  { type: 'restarting', id: 'mqtt', reason: 'mqtt-driver/EMFILE', delayMs: 250 },
  { type: 'parked', id: 'mqtt', retryMs: 900_000, reason: 'mqtt-driver/EMFILE' },
  { type: 'gave-up', id: 'base', reason: 'store/EIO' },
];

describe('what the log says', () => {
  it('is plain sentences, without the codes that stand beside them', () => {
    const all = [brokerWords, dashboardWords, restartWords, passwordWords].flatMap((words) => Object.values(words));
    const sentences = [...all, ...facts.map(partWords)];
    expect(sentences.length).toBeGreaterThan(40);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^_=]+\.$/);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('of a part weighs as much as it matters to an owner', () => {
    const levels: unknown[] = [];
    const write = (line: string): void => {
      const { level, msg } = JSON.parse(line) as Record<string, unknown>;
      levels.push(level);
      expect(msg).toMatch(/mqtt|base/);
    };
    const log = createLogger({ level: 'trace', secretKeys: [], human: false, write });
    for (const fact of facts) logSupervision(log, { ...fact, group: 'link' });
    expect(levels).toEqual(['debug', 'info', 'debug', 'warn', 'warn', 'debug', 'error', 'error']);
  });
});
