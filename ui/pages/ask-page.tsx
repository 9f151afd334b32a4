import { raw } from 'hono/html';
import { useContext } from 'hono/jsx';
import { Bundles } from '../parts/page-bundles.ts';
import { language, t } from '../strings/t.ts';

export interface AskPageProps {
  /** The agent's version, which renews what browsers keep. */
  readonly version: string;
}

/** What a switch of the mode costs, before it is approved. */
const Costs = ({ to }: { readonly to: 'enter' | 'leave' }) => (
  <ul class="ask-costs" data-kind={`${to}-hardened`} hidden>
    <li>{t(`ask.${to}.1`)}</li>
    <li>{t(`ask.${to}.2`)}</li>
    <li>{t(`ask.${to}.3`)}</li>
  </ul>
);

const Buttons = () => (
  <div class="ask-buttons" data-buttons>
    <button type="button" class="ask-button ask-hold" data-hold disabled>
      <span class="ask-label">{t('ask.approve')}</span>
      <span class="ask-hint" data-hint></span>
      <span class="ask-bar"></span>
    </button>
    <div class="ask-row">
      <button type="button" class="ask-button" data-answer="deny" disabled>
        {t('ask.deny')}
      </button>
      <button type="button" class="ask-button ask-ignore" data-answer="ignore" disabled hidden>
        {t('ask.ignore')}
      </button>
    </div>
  </div>
);

/** The question; its script writes what is asked into it, as text. */
const Question = () => (
  <div class="ask" data-ask hidden>
    <p class="ask-top">
      <span data-position></span>
      <span data-left role="timer" aria-live="off"></span>
    </p>
    <div class="ask-body" tabindex={0} role="group" aria-labelledby="ask-title">
      <p class="ask-mark" data-mark hidden></p>
      <h1 class="ask-title" id="ask-title" data-title></h1>
      <p class="ask-outcome" role="status" data-outcome></p>
      <div data-details>
        <div class="ask-code" data-code-box hidden>
          <p class="ask-quiet">{t('ask.code')}</p>
          <p class="ask-digits" data-code></p>
        </div>
        <p class="ask-quiet" data-who></p>
        <blockquote class="ask-what" data-what></blockquote>
        <p data-consequence></p>
        <div class="ask-barred" data-barred hidden>
          <p class="ask-barred-title">{t('ask.barred')}</p>
          <ul data-reasons></ul>
        </div>
        <Costs to="enter" />
        <Costs to="leave" />
      </div>
    </div>
    <Buttons />
  </div>
);

/** `/ask`: a question on the panel's own screen. In any other browser its script cannot answer, and shows none. */
export function AskPage({ version }: AskPageProps) {
  const build = encodeURIComponent(version);
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang={language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <title>{t('page.ask')}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={`/assets/ask.css?v=${build}`} />
          <script type="application/json" id="strings">
            {raw(useContext(Bundles).ask?.words ?? '{}')}
          </script>
          <script src={`/assets/ask.js?v=${build}`} defer></script>
        </head>
        <body>
          <main>
            <h1 class="ask-elsewhere" data-elsewhere>
              {t('ask.elsewhere')}
            </h1>
            <Question />
          </main>
        </body>
      </html>
    </>
  );
}
