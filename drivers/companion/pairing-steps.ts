import type { PairingAnswer, PairingStep } from '#machines/companion/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import type { Line } from './line.ts';
import { type Agreed, beginPairing, type PanelPairing } from './pairing.ts';
import type { RefusalCode } from './refused.ts';
import { plainBounds, type WireRules, type WireSchemas } from './rules.ts';

/** What a pairing reports of itself. */
export interface PairingScope {
  readonly line: Line;
  readonly rules: WireRules;
  readonly schemas: WireSchemas;
  readonly prologue: Buffer;
  /** Ends the connection with a refusal. */
  readonly refuse: (code: RefusalCode) => void;
  /** The digits are known, and can be asked for. */
  readonly onWanted: (agreed: Agreed) => void;
  readonly onConfirmed: () => void;
}

/** Takes a connection through the steps of pairing, up to the question at the panel. */
export function pair({ line, rules, schemas, prologue, refuse, onWanted, onConfirmed }: PairingScope): void {
  const say = (answer: PairingAnswer): void => line.sendText(JSON.stringify(answer));
  const late = (): void => refuse('too-slow');
  let begun: PanelPairing | null = null;
  let stage: PairingStep['type'] = 'pair';
  const take = (step: PairingStep): void => {
    if (step.type !== stage) return refuse('malformed');
    if (step.type === 'pair') {
      begun = beginPairing(prologue, Buffer.from(step.commit, 'hex'));
      const { key, nonce } = begun.shown;
      stage = 'reveal';
      line.within(rules.times.proof, late);
      return say({ type: 'pair', key: Buffer.from(key).toString('hex'), nonce: Buffer.from(nonce).toString('hex') });
    }
    if (step.type === 'reveal') {
      const shown = { key: Buffer.from(step.key, 'hex'), nonce: Buffer.from(step.nonce, 'hex') };
      const agreed = begun?.reveal(shown) ?? null;
      if (agreed === null) return refuse('malformed');
      stage = 'confirm';
      line.within(rules.times.question, () => refuse('expired'));
      return onWanted(agreed);
    }
    line.handle(() => refuse('malformed'));
    onConfirmed();
  };
  line.within(rules.times.proof, late);
  line.handle((bytes, isText) => {
    const step = isText ? schemas.step().safeParse(foreignValue(bytes.toString(), plainBounds)) : null;
    if (step?.success !== true) refuse('malformed');
    else take(step.data);
  });
}
