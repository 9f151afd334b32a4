import { t, tOr } from '../strings/t.ts';
import { Prose } from './explorer-operation.tsx';
import type { OpenApi, OperationFacts } from './openapi.ts';

const Row = ({ operation }: { readonly operation: OperationFacts }) => (
  <li data-find={`${operation.method} ${operation.path} ${operation.summary}`.toLowerCase()}>
    <details class="fold operation">
      <summary>
        <span class={`method method-${operation.method.toLowerCase()}`}>{operation.method}</span>
        <span class="operation-words">
          <code class="operation-path">{operation.path}</code>
          <span class="operation-summary">{operation.summary}</span>
        </span>
      </summary>
      <div class="fold-body" data-operation={operation.index}></div>
    </details>
  </li>
);

const Rows = ({ operations }: { readonly operations: readonly OperationFacts[] }) => (
  <ul class="folds">
    {operations.map((operation) => (
      <Row key={operation.index} operation={operation} />
    ))}
  </ul>
);

const groupTitle = (tag: string): string =>
  tag === '' ? t('api.other') : tOr(`api.group.${tag}`, tag.charAt(0).toUpperCase() + tag.slice(1));

/** One family, folded: its requests, and in another fold their aliases and retired requests. */
function Group({
  tag,
  about,
  operations,
}: {
  readonly tag: string;
  readonly about: string | undefined;
  readonly operations: readonly OperationFacts[];
}) {
  const older = operations.filter(({ deprecated }) => deprecated);
  return (
    <details class="card fold group" id={`group-${tag}`} data-tag={tag}>
      <summary>
        <h2 class="fold-title">{groupTitle(tag)}</h2>
        <span class="hint">{t('api.count', { count: operations.length })}</span>
      </summary>
      {about === undefined ? null : (
        <p class="hint">
          <Prose text={about} />
        </p>
      )}
      <Rows operations={operations.filter(({ deprecated }) => !deprecated)} />
      {older.length === 0 ? null : (
        <details class="fold" data-older>
          <summary>
            <span class="fold-title">{t('api.older', { count: older.length })}</span>
          </summary>
          <Rows operations={older} />
        </details>
      )}
    </details>
  );
}

/** What applies to all requests, folded: it is read once, the list often. */
const About = ({ text }: { readonly text: string }) => (
  <details class="fold">
    <summary>
      <span class="fold-title">{t('api.about')}</span>
    </summary>
    <div class="fold-body">
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
    </div>
  </details>
);

/** The list of requests, by family in document order, with a search field. */
export function Explorer({
  document: { info, tags = [] },
  operations,
}: {
  readonly document: OpenApi;
  readonly operations: readonly OperationFacts[];
}) {
  const names = [...new Set([...tags.map(({ name }) => name), ...operations.map(({ tag }) => tag)])];
  return (
    <div class="explorer">
      <div class="explorer-find">
        <input
          class="input"
          type="search"
          data-filter
          aria-label={t('api.filter')}
          placeholder={t('api.filter')}
          autocomplete="off"
          spellcheck={false}
        />
        <p class="hint" role="status" data-count></p>
      </div>
      {names.flatMap((name) => {
        const own = operations.filter(({ tag }) => tag === name);
        const about = tags.find((tag) => tag.name === name)?.description;
        return own.length === 0 ? [] : [<Group key={name} tag={name} about={about} operations={own} />];
      })}
      {info?.description === undefined ? null : <About text={info.description} />}
    </div>
  );
}
