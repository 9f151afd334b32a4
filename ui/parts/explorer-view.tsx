import { t, tOr } from '../strings/t.ts';
import { Icon } from './icon.tsx';
import type { OperationFacts } from './openapi.ts';

/** Text of the document, in which words between backticks are code. */
const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

const Row = ({ operation }: { readonly operation: OperationFacts }) => (
  <li data-find={`${operation.method} ${operation.path} ${operation.summary}`.toLowerCase()}>
    <details class="fold operation">
      <summary>
        <span class={`method method-${operation.method.toLowerCase()}`}>{operation.method}</span>
        <code class="operation-path">{operation.path}</code>
        <span class="operation-summary">{operation.summary}</span>
        <Icon name="chevron-down" mark="fold-arrow" />
      </summary>
      <div class="fold-body" data-operation={operation.index}></div>
    </details>
  </li>
);

const groupTitle = (tag: string): string =>
  tag === '' ? t('api.other') : tOr(`api.group.${tag}`, tag.charAt(0).toUpperCase() + tag.slice(1));

/** The list of requests, by family, with a field to find one. */
export const Explorer = ({ operations }: { readonly operations: readonly OperationFacts[] }) => {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  return (
    <div class="explorer">
      <div class="explorer-find">
        <label class="label" for="explorer-filter">
          {t('api.filter')}
        </label>
        <input class="input" id="explorer-filter" type="search" data-filter autocomplete="off" spellcheck={false} />
        <p class="hint" role="status" data-count></p>
      </div>
      {tags.map((tag) => (
        <section key={tag} class="card" data-tag={tag} aria-label={groupTitle(tag)}>
          <h2>{groupTitle(tag)}</h2>
          <ul class="folds">
            {operations.flatMap((operation) =>
              operation.tag === tag ? [<Row key={operation.index} operation={operation} />] : [],
            )}
          </ul>
        </section>
      ))}
    </div>
  );
};

const Parameters = ({ operation }: { readonly operation: OperationFacts }) => (
  <div class="fields">
    {operation.parameters.map((parameter) => {
      const id = `p-${operation.index}-${parameter.name}`;
      return (
        <div key={parameter.name} class="field">
          <div class="field-head">
            <label class="label" for={id}>
              {parameter.name}
            </label>
            <span class="hint">{parameter.required === true ? t('api.required') : t('api.optional')}</span>
          </div>
          <input
            class="input"
            id={id}
            name={parameter.name}
            data-in={parameter.in}
            required={parameter.required === true}
            autocomplete="off"
          />
          {parameter.description === undefined ? null : (
            <p class="hint">
              <Prose text={parameter.description} />
            </p>
          )}
        </div>
      );
    })}
  </div>
);

/**
 * The inside of one request: what it takes, what it answers, and a form that sends it. `example` is a body to start
 * from.
 */
export const Operation = ({
  operation,
  example,
}: {
  readonly operation: OperationFacts;
  readonly example: string | null;
}) => (
  <form data-index={operation.index} novalidate>
    {operation.description === '' ? null : (
      <p>
        <Prose text={operation.description} />
      </p>
    )}
    <h3>{t('api.answers')}</h3>
    <ul class="answers">
      {operation.answers.map((answer) => (
        <li key={answer.status}>
          <code>{answer.status}</code>
          <span>
            <Prose text={answer.description} />
          </span>
          <span class="hint">{answer.types.join(', ')}</span>
        </li>
      ))}
    </ul>
    {operation.stream ? (
      <p class="hint">{t('api.stream')}</p>
    ) : (
      <div class="fields">
        <h3>{t('api.try_title')}</h3>
        {operation.parameters.length === 0 ? null : <Parameters operation={operation} />}
        {example === null ? null : (
          <div class="field">
            <label class="label" for={`b-${operation.index}`}>
              {t('api.body')}
            </label>
            <textarea
              class="input json"
              id={`b-${operation.index}`}
              data-body
              rows={Math.min(12, example.split('\n').length + 1)}
              spellcheck={false}
            >
              {example}
            </textarea>
          </div>
        )}
        {operation.writes ? <p class="hint warn">{t('api.writes')}</p> : null}
        <div class="send">
          <button type="submit" class="button primary">
            {t('api.try')}
          </button>
          <span class="said" role="status" data-line></span>
        </div>
        <pre class="output" data-output hidden tabindex={0} aria-label={t('api.answer_body')}></pre>
      </div>
    )}
  </form>
);
