import { t } from '../strings/t.ts';
import type { AnswerFacts, BodyFacts, FieldFacts, OperationFacts } from './openapi.ts';

/** Text of the document; words in backticks become code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

const Choice = ({ field, id, where }: { readonly field: FieldFacts; readonly id: string; readonly where: string }) => (
  <select class="input" id={id} name={field.name} data-in={where} required={field.required}>
    {field.required ? null : <option value="">{t('api.left_out')}</option>}
    {(field.options ?? []).map((option) => (
      <option key={option} value={option} selected={option === field.value}>
        {option}
      </option>
    ))}
  </select>
);

/** One input; `where` is its part of the request: path, query, headers or form. */
const Field = ({ field, id, where }: { readonly field: FieldFacts; readonly id: string; readonly where: string }) => (
  <div class="field">
    <div class="field-head">
      <label class="label" for={id}>
        {field.name}
      </label>
      <span class="hint">{field.required ? t('api.required') : t('api.optional')}</span>
    </div>
    {field.options === null ? (
      <input
        class="input"
        id={id}
        name={field.name}
        data-in={where}
        value={field.value}
        required={field.required}
        inputmode={field.number ? 'decimal' : undefined}
        autocomplete="off"
      />
    ) : (
      <Choice field={field} id={id} where={where} />
    )}
    {field.description === '' ? null : (
      <p class="hint">
        <Prose text={field.description} />
      </p>
    )}
  </div>
);

/** The inputs for one shape of a body: the fields of a form, or a text. */
export function BodyInput({
  body,
  chosen,
  id,
}: {
  readonly body: BodyFacts;
  readonly chosen: number;
  readonly id: string;
}) {
  const alternative = body.alternatives[chosen];
  if (alternative === undefined) return <></>;
  if (body.form)
    return (
      <div class="fields">
        {alternative.fields.map((field) => (
          <Field key={field.name} field={field} id={`${id}-${field.name}`} where="form" />
        ))}
      </div>
    );
  return (
    <div class="field">
      <label class="label" for={id}>
        {t('api.body')}
      </label>
      <textarea
        class="input json"
        id={id}
        data-text
        rows={Math.min(16, alternative.text.split('\n').length + 1)}
        wrap="off"
        spellcheck={false}
      >
        {alternative.text}
      </textarea>
    </div>
  );
}

const Select = ({
  id,
  label,
  mark,
  options,
  chosen,
}: {
  readonly id: string;
  readonly label: string;
  readonly mark: 'type' | 'shape';
  readonly options: readonly string[];
  readonly chosen: number;
}) => (
  <div class="field" hidden={options.length < 2}>
    <label class="label" for={id}>
      {label}
    </label>
    <select class="input" id={id} data-choose={mark}>
      {options.map((option, index) => (
        <option key={option} value={index} selected={index === chosen}>
          {option}
        </option>
      ))}
    </select>
  </div>
);

/** A body in one media type: the choice of shape, and its inputs. */
export const Body = ({ body, id }: { readonly body: BodyFacts; readonly id: string }) => (
  <>
    <Select
      id={`${id}--shape`}
      label={t('api.shape')}
      mark="shape"
      options={body.alternatives.map(({ label }) => label)}
      chosen={body.first}
    />
    <div data-input>
      <BodyInput body={body} chosen={body.first} id={id} />
    </div>
  </>
);

const Answer = ({ answer }: { readonly answer: AnswerFacts }) => (
  <li>
    <code>{answer.status}</code>
    <span>
      <Prose text={[answer.description, ...answer.codes.map((code) => `\`${code}\``)].join(' ')} />
    </span>
    <span class="hint">{answer.types.join(', ')}</span>
    {answer.example === null ? null : (
      <details class="plain-fold example">
        <summary>{t('api.example')}</summary>
        <pre class="output" tabindex={0} aria-label={t('api.example_of', { status: answer.status })}>
          {answer.example}
        </pre>
      </details>
    )}
  </li>
);

const Answers = ({ answers }: { readonly answers: readonly AnswerFacts[] }) => (
  <ul class="answers">
    {answers.map((answer) => (
      <Answer key={answer.status} answer={answer} />
    ))}
  </ul>
);

/** Its error responses: most of them can happen to any request, so they are folded. */
const Refusals = ({ answers }: { readonly answers: readonly AnswerFacts[] }) =>
  answers.length === 0 ? null : (
    <details class="fold">
      <summary>
        <span class="fold-title">{t('api.refusals', { count: answers.length })}</span>
      </summary>
      <Answers answers={answers} />
    </details>
  );

/** The form that sends a request, with the response beside or below it. */
function Try({ operation, id }: { readonly operation: OperationFacts; readonly id: string }) {
  const [body] = operation.bodies;
  return (
    <>
      <h3>{t('api.try_title')}</h3>
      <div class="try">
        <div class="fields">
          {operation.parameters.map((field) => (
            <Field key={field.name} field={field} id={`p-${operation.index}-${field.name}`} where={field.in} />
          ))}
          {body === undefined ? null : (
            <>
              <Select
                id={`${id}--type`}
                label={t('api.send_as')}
                mark="type"
                options={operation.bodies.map(({ type }) => type)}
                chosen={0}
              />
              <div class="fields" data-body={id}>
                <Body body={body} id={id} />
              </div>
            </>
          )}
          <div class="send">
            <button type="submit" class="button primary">
              {t('api.try')}
            </button>
            {operation.writes ? <span class="hint warn">{t('api.writes')}</span> : null}
          </div>
        </div>
        <div class="try-answer">
          <p class="answer-line" role="status" data-line></p>
          <pre class="output" data-output hidden tabindex={0} aria-label={t('api.answer_body')}></pre>
        </div>
      </div>
    </>
  );
}

/** A request that waits for a person at the panel (202) has a code, but is not refused. */
const isRefusal = ({ status, codes }: AnswerFacts): boolean => codes.length > 0 && !status.startsWith('2');

/** The details of one request: its inputs, its responses, and a form that sends it. */
export function Operation({ operation }: { readonly operation: OperationFacts }) {
  const id = `b-${operation.index}`;
  return (
    <form data-index={operation.index} novalidate>
      {operation.stream ? <p class="hint">{t('api.stream')}</p> : <Try operation={operation} id={id} />}
      {operation.description === '' ? null : (
        <div class="operation-about">
          <h3>{t('api.details')}</h3>
          {operation.description.split(/\n+/).map((line) => (
            <p key={line}>
              <Prose text={line} />
            </p>
          ))}
        </div>
      )}
      <h3>{t('api.answers')}</h3>
      <Answers answers={operation.answers.filter((answer) => !isRefusal(answer))} />
      <Refusals answers={operation.answers.filter(isRefusal)} />
    </form>
  );
}
