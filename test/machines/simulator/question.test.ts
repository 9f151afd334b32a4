import { describe, expect, it } from 'vitest';
import { decideQuestion, isOfQuestions, simulatorRequest } from '#machines/simulator/question.ts';

const id = '0123456789abcdef'.repeat(2);

describe('a question of the simulated panel', () => {
  it.each([
    [
      { approval: id, answer: 'hold' },
      { type: 'approval.answer', id, answer: 'hold', at: 7 },
    ],
    [
      { approval: id, answer: 'ignore' },
      { type: 'approval.answer', id, answer: 'ignore', at: 7 },
    ],
    [{ security_mode: 'relaxed' }, { type: 'mode.wanted', mode: 'relaxed', at: 7 }],
    [{ questions: 'show' }, { type: 'questions.wanted', at: 7 }],
  ])('%j is for the approvals', (body, event) => {
    const touch = simulatorRequest().parse(body);
    expect(isOfQuestions(touch) && decideQuestion(touch, 7)).toEqual(event);
  });

  it('is no touch of the hardware', () => {
    expect(isOfQuestions(simulatorRequest().parse({ press: 1 }))).toBe(false);
  });

  it.each([
    [{ approval: id }],
    [{ approval: 'x', answer: 'hold' }],
    [{ security_mode: 'open' }],
    [{ answer: 'deny' }],
    [{ questions: 'hide' }],
  ])('%j is refused with what it needs', (body) => {
    const parsed = simulatorRequest().safeParse(body);
    expect(parsed.error?.issues[0]?.message).toMatch(/^"(?:approval|security_mode|questions)" must be/);
  });
});
