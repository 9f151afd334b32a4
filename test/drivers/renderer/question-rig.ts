import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import type { DevTools } from '#drivers/renderer/devtools.ts';
import { at, listAt, numberAt, textAt } from '#drivers/renderer/json-fields.ts';
import { createQuestionTab } from '#drivers/renderer/question-tab.ts';
import type { QuestionCommand, QuestionFact, ShownQuestion } from '#machines/approvals/events.ts';
import type { BrowserInput } from '#machines/renderer/events.ts';
import { AskPage } from '#ui/pages/ask-page.tsx';
import { until } from '../../scenarios/live-agent.ts';
import { markupOf } from '../../ui/markup.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { type Rig, type RigOptions, START_MS, startRig } from './rig.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A question as a test asks it. */
export const question = (number = 1, change: Partial<ShownQuestion> = {}): ShownQuestion => ({
  id: String(number).repeat(32).slice(0, 32),
  kind: 'operation',
  title: 'Restart the panel',
  what: 'now',
  consequence: '',
  who: '192.0.2.7',
  code: null,
  leftMs: 300_000,
  position: 1,
  of: 1,
  barred: [],
  canIgnore: true,
  ...change,
});

/** The script and the styles of the page, made from the sources as they are. */
async function bundled(entry: string): Promise<string> {
  const isScript = entry.endsWith('.ts');
  const { outputFiles } = await build({
    absWorkingDir: root,
    ...(isScript
      ? { stdin: { contents: `import { startAsk } from './${entry}'; startAsk();`, resolveDir: root } }
      : { entryPoints: [entry] }),
    bundle: true,
    write: false,
    target: 'chrome83',
    tsconfig: `${root}/tsconfig.json`,
  });
  return outputFiles[0]?.text ?? '';
}

/** The panel's own pages: `/ask` as it is, and empty ones. */
export async function serveOwnPages(): Promise<{ readonly origin: string; readonly server: Server }> {
  const script = await bundled('ui/elements/ask.ts');
  const style = await bundled('ui/styles/ask.css');
  const page = markupOf(AskPage({ version: '0' }));
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url.startsWith('/assets/ask.js');
    const isStyle = url.startsWith('/assets/ask.css');
    response.setHeader('content-type', isScript ? 'text/javascript' : isStyle ? 'text/css' : 'text/html');
    response.end(isScript ? script : isStyle ? style : url === '/ask' ? page : '<!doctype html><p>own');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server };
}

/** A browser with a place for questions, and a second session with its tab to look and touch. */
export interface QuestionRig {
  readonly browser: Rig;
  readonly questions: RunningDriver<QuestionCommand, QuestionFact>;
  readonly tools: () => DevTools;
  /** Shows a question, and waits until it is seen. */
  readonly show: (shown: ShownQuestion) => Promise<void>;
  readonly fact: <T extends QuestionFact['type']>(
    type: T,
    also?: (fact: Extract<QuestionFact, { type: T }>) => boolean,
    from?: number,
  ) => Promise<Extract<QuestionFact, { type: T }>>;
  /** Hides it, and waits until the dashboard is the only page. */
  readonly hide: () => Promise<void>;
  /** Value of an expression in the tab, or in the dashboard. */
  readonly inTab: (expression: string) => Promise<unknown>;
  /** Puts the dashboard before the tab. */
  readonly focusDashboard: () => Promise<void>;
  readonly inDashboard: (expression: string) => Promise<unknown>;
  /** Middle of an element of the tab. */
  readonly middleOf: (selector: string) => Promise<{ readonly x: number; readonly y: number }>;
  readonly finger: (type: 'touchStart' | 'touchEnd', selector?: string) => Promise<void>;
  /** Sends messages as a script of the tab's page could, or as one of a frame in it. */
  readonly post: (messages: readonly string[], where?: 'page' | 'frame') => Promise<void>;
  readonly crash: () => Promise<void>;
  /** Waits until a button takes presses. */
  readonly enabled: (selector: string) => Promise<void>;
  /** Addresses of all open pages. */
  readonly pages: () => Promise<readonly string[]>;
  readonly call: (method: string, params?: object) => Promise<unknown>;
  readonly end: () => Promise<void>;
}

export async function startQuestions(
  input: Partial<BrowserInput>,
  deps: RigOptions['deps'] = {},
): Promise<QuestionRig> {
  const port = createQuestionTab({ elapsed: () => performance.now() });
  const slot: { tools?: DevTools; dashboard?: string } = {};
  const browser = await startRig({
    input,
    deps: {
      probeMs: 60_000,
      // A page of the tests opens windows without being touched first.
      extraFlags: ['--disable-popup-blocking'],
      questions: {
        attach: (attached, open) => {
          slot.tools = attached.tools;
          slot.dashboard = attached.dashboard;
          return port.attach(attached, open);
        },
      },
      ...deps,
    },
  });
  const questions = runDriver<QuestionCommand, QuestionFact>(port.driver);
  const tools = (): DevTools => {
    if (slot.tools === undefined) throw new Error('no browser is attached');
    return slot.tools;
  };
  await browser.fact('browser.ready', undefined, { withinMs: START_MS });

  const call = async (method: string, params: object = {}, session?: string): Promise<unknown> => {
    const answer = await tools().call(method, params, { withinMs: 10_000, ...(session !== undefined && { session }) });
    return answer.ok ? answer.value : undefined;
  };
  const targets = async (): Promise<readonly unknown[]> =>
    listAt(await call('Target.getTargets'), 'targetInfos').filter((info) => at(info, 'type') === 'page');
  const sessions = new Map<string, string>();
  const sessionWith = async (targetId: string): Promise<string> => {
    const known = sessions.get(targetId);
    if (known !== undefined) return known;
    const made = textAt(100, await call('Target.attachToTarget', { targetId, flatten: true }), 'sessionId') ?? '';
    sessions.set(targetId, made);
    return made;
  };
  const tabSession = async (): Promise<string> => {
    const infos = await targets();
    const tab = infos.find((info) => textAt(500, info, 'url')?.endsWith('/ask'));
    return sessionWith(textAt(100, tab, 'targetId') ?? '');
  };
  const valueIn = async (session: string, expression: string): Promise<unknown> =>
    at(
      await call('Runtime.evaluate', { expression, returnByValue: true, userGesture: true }, session),
      'result',
      'value',
    );
  const inTab = async (expression: string): Promise<unknown> => valueIn(await tabSession(), expression);
  const pages = async (): Promise<readonly string[]> => (await targets()).map((info) => textAt(500, info, 'url') ?? '');
  const fact: QuestionRig['fact'] = <T extends QuestionFact['type']>(
    type: T,
    also: (fact: Extract<QuestionFact, { type: T }>) => boolean = () => true,
    from = 0,
  ) =>
    questions.until(
      // The type tag is compared first.
      (seen): seen is Extract<QuestionFact, { type: T }> =>
        seen.type === type && also(seen as Extract<QuestionFact, { type: T }>),
      from,
    );
  const middleOf: QuestionRig['middleOf'] = async (selector) => {
    const box = await inTab(
      `(() => { const { left, width, top, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 }; })()`,
    );
    return { x: numberAt(box, 'x') ?? -1, y: numberAt(box, 'y') ?? -1 };
  };
  return {
    browser,
    questions,
    tools,
    fact,
    inTab,
    pages,
    middleOf,
    call,
    inDashboard: async (expression) => valueIn(await sessionWith(slot.dashboard ?? ''), expression),
    focusDashboard: async () => {
      await call('Target.activateTarget', { targetId: slot.dashboard });
    },
    show: async (shown) => {
      const from = questions.facts.length;
      questions.tell({ type: 'question.show', question: shown });
      await fact('question.seen', ({ id, visible }) => visible && id === shown.id, from);
    },
    hide: async () => {
      questions.tell({ type: 'question.hide' });
      await until('the dashboard is the only page', async () => (await pages()).length === 1);
    },
    finger: async (type, selector) => {
      const touchPoints = selector === undefined ? [] : [await middleOf(selector)];
      await call('Input.dispatchTouchEvent', { type, touchPoints }, await tabSession());
    },
    enabled: async (selector) => {
      await until(`${selector} is enabled`, () =>
        inTab(`!document.querySelector(${JSON.stringify(selector)}).disabled`),
      );
    },
    post: async (messages, where = 'page') => {
      const session = await tabSession();
      // The page took the binding away from itself; another session brings it back, for both.
      await call('Runtime.enable', {}, session);
      await call('Runtime.addBinding', { name: 'sconceAnswer' }, session);
      const from =
        where === 'page' ? 'window' : "document.body.appendChild(document.createElement('iframe')).contentWindow";
      const sent = `(() => { const from = ${from}; for (const message of ${JSON.stringify(messages)}) from.sconceAnswer(message); return true; })()`;
      if ((await valueIn(session, sent)) !== true) throw new Error('nothing was sent');
    },
    crash: async () => void (await call('Page.crash', {}, await tabSession())),
    end: async () => {
      questions.stop();
      await questions.settled();
      await browser.end();
    },
  };
}
