import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { Shell } from '../parts/shell.tsx';
import { snippetsOf, type Snippet, type SnippetFacts } from '../parts/snippets.ts';
import { t } from '../strings/t.ts';

const SnippetCard = ({ snippet: { id, place, yaml } }: { readonly snippet: Snippet }) => (
  <section class="card snippet" aria-labelledby={`snippet-${id}`}>
    <h2 id={`snippet-${id}`}>{t(`snippets.${id}.title`)}</h2>
    <p>{t(`snippets.${id}.effect`)}</p>
    <p class="hint">
      <b>{t('snippets.adapt')}</b> {t(`snippets.${id}.adapt`)}
    </p>
    <p class="hint">{t(`snippets.place.${place}`)}</p>
    <pre
      class="snippet-text"
      tabindex={0}
      role="group"
      aria-label={t('snippets.text', { title: t(`snippets.${id}.title`) })}
    >
      {yaml}
    </pre>
    <button type="button" class="button" data-copy={yaml}>
      <Icon name="content-copy" size={20} />
      <span>{t('command.copy')}</span>
    </button>
  </section>
);

/** What the page of snippets is drawn from. */
export interface SnippetsPageProps {
  readonly status: StatusDocument;
  readonly facts: SnippetFacts;
  /** Whether the visitor's address of the panel leads back to the machine that opens it. */
  readonly loopback: boolean;
}

/** `/snippets`: pieces of YAML for Home Assistant, filled in with this panel's address and entity ids. */
export const SnippetsPage = ({ status, facts, loopback }: SnippetsPageProps) => (
  <Shell status={status} page="snippets" title="page.snippets" styles={['snippets']}>
    <p class="lead">{t('snippets.intro')}</p>
    {facts.origin === null ? <p class="notice">{t('snippets.no_address')}</p> : null}
    {facts.origin !== null && loopback ? (
      <p class="notice">{t('snippets.loopback', { address: facts.origin })}</p>
    ) : null}
    <div class="stack">
      {snippetsOf(facts).map((snippet) => (
        <SnippetCard key={snippet.id} snippet={snippet} />
      ))}
    </div>
  </Shell>
);
