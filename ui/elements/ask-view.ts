import type { Answer, BarredReason, ShownQuestion, ShownResult } from '#machines/approvals/events.ts';
import { t } from '../strings/t.ts';

/** The drawn question; whatever is asked is written as text, never as markup. */
export interface AskView {
  readonly hold: HTMLButtonElement;
  readonly onAnswer: (answered: (answer: Answer) => void) => void;
  readonly show: (question: ShownQuestion) => void;
  readonly result: (result: ShownResult) => void;
  /** Enables the buttons, and "Approve" only if it may be approved. */
  readonly enable: (enabled: boolean, approvable: boolean) => void;
  /** Words below "Approve". */
  readonly hint: (text: string) => void;
}

const tickMs = 1000;
/** Characters from which what is asked is written smaller. */
const longText = 90;

/** Minutes and seconds: 9:05. */
function clockOf(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Six digits as people read them: 271 828, on one line. */
const inThrees = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1\u00a0$2');

function element(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function reasonItem({ message, command }: BarredReason): HTMLElement {
  const item = element('li', '', message);
  if (command !== null)
    item.append(element('span', 'ask-quiet', t('ask.command')), element('code', 'ask-command', command));
  return item;
}

/** The view of the page; null on a page without one. */
export function openView(): AskView | null {
  const part = (name: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-${name}]`);
  const hold = document.querySelector<HTMLButtonElement>('[data-hold]');
  if (hold === null) return null;
  const answers = Array.from(document.querySelectorAll<HTMLButtonElement>('[data-answer]'));
  let endsAt = 0;
  let ticking: number | undefined;

  const write = (name: string, text: string): void => {
    const into = part(name);
    if (into !== null) into.textContent = text;
  };
  const reveal = (name: string, shown: boolean): void => {
    const of = part(name);
    if (of !== null) of.hidden = !shown;
  };
  const tick = (): void => write('left', t('ask.left', { time: clockOf(endsAt - performance.now()) }));

  const reveals = (isResult: boolean): void => {
    reveal('elsewhere', false);
    reveal('ask', true);
    for (const name of ['details', 'buttons', 'left', 'position']) reveal(name, !isResult);
    reveal('mark', isResult);
    part('ask')?.classList.toggle('is-result', isResult);
  };
  return {
    hold,
    onAnswer: (answered) => {
      for (const button of answers)
        button.addEventListener('click', ({ isTrusted }) => {
          if (isTrusted) answered(button.dataset['answer'] === 'ignore' ? 'ignore' : 'deny');
        });
    },
    show: ({ kind, title, what, consequence, who, code, leftMs, position, of, barred, canIgnore }) => {
      write('title', title);
      write('what', `“${what}”`);
      part('what')?.classList.toggle('is-long', what.length > longText);
      reveal('what', what !== '');
      write('consequence', consequence);
      reveal('consequence', consequence !== '');
      write('who', t('ask.who', { who }));
      // A switch of the mode is asked for on this screen only. A code is compared with another screen: unless a device
      // asks, that is all there is to say.
      reveal('who', kind === 'operation' && (code === null || canIgnore));
      write('code', inThrees(code ?? ''));
      reveal('code-box', code !== null);
      part('ask')?.classList.toggle('has-code', code !== null);
      write('position', of > 1 ? t('ask.position', { position, of }) : '');
      write('outcome', '');
      reveal('barred', barred.length > 0);
      const reasons = part('reasons');
      if (reasons !== null) {
        reasons.textContent = '';
        reasons.append(...barred.map(reasonItem));
      }
      for (const costs of Array.from(document.querySelectorAll<HTMLElement>('[data-kind]')))
        costs.hidden = costs.dataset['kind'] !== kind || barred.length > 0;
      for (const button of answers) button.hidden = button.dataset['answer'] === 'ignore' && !canIgnore;
      hold.hidden = barred.length > 0;
      reveals(false);
      endsAt = performance.now() + leftMs;
      tick();
      window.clearInterval(ticking);
      ticking = window.setInterval(tick, tickMs);
    },
    result: ({ title, outcome, message }) => {
      window.clearInterval(ticking);
      write('title', title);
      write('mark', t(`ask.outcome.${outcome}`));
      const mark = part('mark');
      if (mark !== null) mark.dataset['mark'] = outcome;
      reveals(true);
      write('outcome', message);
    },
    enable: (enabled, approvable) => {
      hold.disabled = !enabled || !approvable;
      for (const button of answers) button.disabled = !enabled;
    },
    hint: (text) => write('hint', text),
  };
}
