import type { DevTools, DevToolsEvent } from './devtools.ts';
import { textAt } from './json-fields.ts';
import { BINDING, documentStart } from './page-script.ts';
import type { PageSession } from './session.ts';

/** Most frames of other sites followed at a time; touches on further ones go unnoticed. */
const FRAME_LIMIT = 32;

export interface InnerFrames {
  readonly start: () => Promise<void>;
  readonly onEvent: (event: DevToolsEvent) => void;
  /** Frees what the frames pile up for an inspector that is never opened. */
  readonly tidy: () => void;
}

/** Follows frames of other sites, which have separate processes, for touches only: no bridge reaches them. */
export function followInnerFrames(tools: DevTools, page: PageSession, onTouch: (message: string) => void): InnerFrames {
  const frames = new Set<string>();

  const join = async (session: string): Promise<void> => {
    const isFollowed = frames.size < FRAME_LIMIT;
    if (isFollowed) frames.add(session);
    await Promise.all([
      tools.call('Page.enable', {}, { session }),
      // Without this the next document of the frame gets no binding.
      ...(isFollowed
        ? [
            tools.call('Runtime.enable', {}, { session }),
            tools.call('Runtime.addBinding', { name: BINDING }, { session }),
          ]
        : []),
      // In every frame, since any of them could open a floating window.
      tools.call(
        'Page.addScriptToEvaluateOnNewDocument',
        { source: documentStart(null, null, false), runImmediately: true },
        { session },
      ),
    ]);
    // The frame was held at its start, so that its very first document has the script.
    await tools.call('Runtime.runIfWaitingForDebugger', {}, { session });
  };

  return {
    tidy: () => {
      for (const session of frames) void tools.call('Runtime.discardConsoleEntries', {}, { session });
    },
    start: async () => {
      await page.call('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }],
      });
    },
    onEvent: ({ method, params, session }) => {
      if (session === page.id && method === 'Target.attachedToTarget') {
        const frame = textAt(100, params, 'sessionId');
        if (frame !== null) void join(frame);
      } else if (method === 'Target.detachedFromTarget') {
        const frame = textAt(100, params, 'sessionId') ?? '';
        frames.delete(frame);
        tools.dropSession(frame);
      } else if (session !== null && frames.has(session) && method === 'Runtime.bindingCalled')
        onTouch(textAt(200, params, 'payload') ?? '');
    },
  };
}
