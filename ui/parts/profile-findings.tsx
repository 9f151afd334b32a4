import type { ProfilePreview } from '#machines/profile-catalog/requests.ts';
import type { ProfileIssue } from '#machines/profile-catalog/reading.ts';
import { t } from '../strings/t.ts';

/** The findings about the text in the editor. */
export type Findings = {
  /** Line numbers with a place left to fill in, from 1. */
  readonly todos: readonly number[];
} & (
  | { readonly phase: 'checking'; readonly preview: ProfilePreview | null }
  | { readonly phase: 'checked'; readonly preview: ProfilePreview }
  /** The check failed: `reason` is a sentence. */
  | { readonly phase: 'unchecked'; readonly preview: ProfilePreview | null; readonly reason: string }
);

function headline(findings: Findings): string {
  if (findings.phase === 'unchecked') return t('profiles.unchecked', { reason: findings.reason });
  if (findings.phase === 'checking') return t('profiles.checking');
  const errors = findings.preview.issues.filter((issue) => issue.severity === 'error').length;
  if (errors > 0 || !findings.preview.valid) return t('profiles.errors', { count: Math.max(1, errors) });
  if (findings.todos.length > 0) return t('profiles.todo', { count: findings.todos.length });
  return findings.preview.already_saved ? t('profiles.valid_saved') : t('profiles.valid');
}

const Issue = ({ issue }: { readonly issue: ProfileIssue }) => (
  <li class={`finding finding-${issue.severity}`}>
    {issue.line === null ? (
      <span class="finding-place">{t(`profiles.severity.${issue.severity}`)}</span>
    ) : (
      <button type="button" class="finding-place finding-go" data-line={issue.line} data-column={issue.column ?? 1}>
        {t('profiles.line', { severity: t(`profiles.severity.${issue.severity}`), line: issue.line })}
      </button>
    )}
    <span>{issue.message}</span>
  </li>
);

/** Most places listed. */
const mostTodos = 20;

const Todos = ({ lines }: { readonly lines: readonly number[] }) =>
  lines.length === 0 ? null : (
    <div class="finding">
      <span>{t('profiles.todo_help')}</span>
      <div class="finding-lines">
        {lines.slice(0, mostTodos).map((line) => (
          <button key={line} type="button" class="finding-place finding-go" data-line={line} data-column={1}>
            {t('profiles.todo_line', { line })}
          </button>
        ))}
        {lines.length > mostTodos ? <span>{t('profiles.todo_more', { count: lines.length - mostTodos })}</span> : null}
      </div>
    </div>
  );

/** Missing hardware that people notice immediately. */
const Lacks = ({ absent }: { readonly absent: readonly string[] }) => (
  <>
    {absent.includes('screen') ? <p class="refusal">{t('profiles.no_screen')}</p> : null}
    {absent.includes('touch') ? <p class="refusal">{t('profiles.no_touch')}</p> : null}
  </>
);

const Value = ({ value }: { readonly value: string | null }) =>
  value === null ? <span class="hint">{t('profiles.diff_none')}</span> : <code>{value}</code>;

const Differences = ({ preview }: { readonly preview: ProfilePreview }) => (
  <details class="fold">
    <summary>
      <span class="fold-title">
        {preview.diff.length === 0 ? t('profiles.diff_nothing') : t('profiles.diff', { count: preview.diff.length })}
      </span>
    </summary>
    <dl class="facts">
      {preview.diff.map((one) => (
        <div key={one.path} class="difference">
          <dt>
            <code>{one.path}</code>
          </dt>
          <dd>
            <Value value={one.before} /> <span aria-hidden="true">→</span>{' '}
            <span class="unseen">{t('profiles.diff_becomes')}</span> <Value value={one.after} />
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

const Outlook = ({ preview }: { readonly preview: ProfilePreview }) => (
  <>
    <p>{preview.matches_this_device ? t('profiles.preview_matches') : t('profiles.preview_matches_not')}</p>
    <h3>{t('profiles.risks')}</h3>
    {preview.risks.length === 0 ? <p class="hint">{t('profiles.risks_none')}</p> : null}
    <ul class="plain-list risks">
      {preview.risks.map((risk, index) => (
        <li key={index}>{risk.detail}</li>
      ))}
    </ul>
    <div class="folds">
      <Differences preview={preview} />
    </div>
  </>
);

/** The panel's findings: errors with their place, risks, and differences from the profile in use. */
export function ProfileFindings({ findings }: { readonly findings: Findings }) {
  const { preview } = findings;
  return (
    <div class={findings.phase === 'checking' ? 'findings is-checking' : 'findings'}>
      <p class="findings-head" role="status">
        {headline(findings)}
      </p>
      {preview?.valid === true ? <Lacks absent={preview.absent} /> : null}
      <ul class="finding-list">
        {preview?.issues.map((issue, index) => (
          <Issue key={index} issue={issue} />
        ))}
      </ul>
      <Todos lines={findings.todos} />
      {preview?.valid === true ? <Outlook preview={preview} /> : null}
    </div>
  );
}
