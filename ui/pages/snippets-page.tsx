import type { StatusDocument } from '#machines/status.ts';
import { Icon } from '../parts/icon.tsx';
import { Shell } from '../parts/shell.tsx';
import { snippetsOf, type Snippet, type SnippetFacts } from '../parts/snippets.ts';
import { t } from '../strings/t.ts';

/** Where each snippet goes: paths of My Home Assistant links (https://my.home-assistant.io/faq). */
const places = { automation: 'automations', configuration: 'server_controls' } as const;

/** The place in the owner's Home Assistant; through the public My Home Assistant service if its address is unknown. */
const placeOf = (place: Snippet['place'], homeAssistant: string): string =>
  homeAssistant === ''
    ? `https://my.home-assistant.io/redirect/${places[place]}/`
    : `${homeAssistant}/_my_redirect/${places[place]}`;

/** The line for `secrets.yaml` that the YAML refers to, to copy separately. */
const Secret = ({ line }: { readonly line: string }) => (
  <>
    <p>{t('snippets.secret')}</p>
    <div class="command-box">
      <code class="command-text" tabindex={0} role="group" aria-label={t('snippets.secret_line')}>
        {line}
      </code>
      <button type="button" class="button quiet" data-copy={line} aria-label={t('snippets.secret_copy')}>
        <Icon name="mdi:content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
    </div>
  </>
);

/** A note on the panel's address in the snippets; nothing if the visitor uses the same address. */
function AddressNote({ facts: { origin }, loopback, elsewhere }: Omit<SnippetsPageProps, 'status'>) {
  if (origin === null) return <p class="notice">{t('snippets.no_address')}</p>;
  if (loopback) return <p class="notice">{t('snippets.loopback', { address: origin })}</p>;
  return elsewhere ? <p class="hint">{t('snippets.network', { address: origin })}</p> : null;
}

const SnippetCard = ({
  snippet: { id, place, yaml, secret },
  ...page
}: Omit<SnippetsPageProps, 'status'> & { readonly snippet: Snippet }) => (
  <section class="card snippet" aria-labelledby={`snippet-${id}`}>
    <h2 id={`snippet-${id}`}>{t(`snippets.${id}.title`)}</h2>
    <p>{t(`snippets.${id}.effect`, { script: `${page.facts.panelId}_say` })}</p>
    <p>
      <b>{t('snippets.adapt')}</b> {t(`snippets.${id}.adapt`)}
    </p>
    {place === 'automation' ? null : <AddressNote {...page} />}
    {secret === undefined ? null : <Secret line={secret} />}
    {place === 'automation' ? null : (
      <>
        <p>{t('snippets.place.configuration')}</p>
        <p>{t('snippets.restart')}</p>
      </>
    )}
    <div class="snippet-buttons">
      <button
        type="button"
        class="button"
        data-copy={yaml}
        aria-label={t('snippets.copy', { title: t(`snippets.${id}.title`) })}
      >
        <Icon name="mdi:content-copy" size={20} />
        <span>{t('command.copy')}</span>
      </button>
      <a
        class="outward"
        href={placeOf(place, page.facts.homeAssistant)}
        rel="noopener noreferrer nofollow"
        target="_blank"
      >
        {t(`snippets.open.${place}`)}
        <Icon name="mdi:open-in-new" size={20} />
      </a>
    </div>
    <details class="fold">
      <summary>
        <span class="fold-title">{t('snippets.show')}</span>
      </summary>
      <pre
        class="snippet-text"
        tabindex={0}
        role="group"
        aria-label={t('snippets.text', { title: t(`snippets.${id}.title`) })}
      >
        {yaml}
      </pre>
    </details>
  </section>
);

export interface SnippetsPageProps {
  readonly status: StatusDocument;
  readonly facts: SnippetFacts;
  /** True if the address in the snippets is a loopback address. */
  readonly loopback: boolean;
  /** True if the snippets use the network address instead of the visitor's. */
  readonly elsewhere: boolean;
}

/** `/snippets`: YAML for Home Assistant with this panel's address and entity ids. */
export const SnippetsPage = ({ status, ...page }: SnippetsPageProps) => (
  <Shell status={status} page="snippets">
    <p class="lead">{t('snippets.place.automation')}</p>
    <div class="snippets">
      {snippetsOf(page.facts).map((snippet) => (
        <SnippetCard key={snippet.id} snippet={snippet} {...page} />
      ))}
    </div>
    <p class="hint snippets-foot">{t('snippets.intro')}</p>
  </Shell>
);
