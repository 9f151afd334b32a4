import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { ProfileIssue } from '#machines/profile-catalog/reading.ts';
import { editorTheme } from './yaml-theme.ts';
import { spotAt, type Spot } from './yaml-outline.ts';
import { wordsAt, type SchemaNode, type Word } from './yaml-words.ts';

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-strong)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

function appliedText(word: Word, { column, flow }: Spot): string {
  const indent = ' '.repeat(column);
  switch (word.follows) {
    case 'map':
      return flow ? `${word.word}: { ` : `${word.word}:\n${indent}  `;
    case 'list':
      return flow ? `${word.word}: [` : `${word.word}:\n${indent}  - `;
    case 'scalar':
      return `${word.word}: `;
    case 'nothing':
      return word.word;
  }
}

const completionOf = (word: Word, spot: Spot): Completion => ({
  label: word.word,
  type: word.follows === 'nothing' ? 'enum' : 'property',
  // Required words first.
  boost: word.required ? 50 : 0,
  ...(word.about === '' ? {} : { info: word.about }),
  apply: (view, _, from, to) => {
    const text = appliedText(word, spot);
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
    });
    if (word.follows !== 'nothing') startCompletion(view);
  },
});

/** Completion from the schema that `schema` returns at that moment. */
const completions =
  (schema: () => SchemaNode | null) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const known = schema();
    if (known === null) return null;
    const line = state.doc.lineAt(pos);
    const spot = spotAt(state.doc.toJSON(), line.number - 1, pos - line.from);
    if (spot === null) return null;
    const words = wordsAt(known, spot);
    // An empty line offers nothing until a key is typed or completion is requested; a value is offered immediately.
    if (words.length === 0 || (spot.word === '' && spot.kind === 'key' && !explicit)) return null;
    return {
      from: line.from + spot.column,
      options: words.map((word) => completionOf(word, spot)),
      validFor: /^[\w.-]*$/,
    };
  };

function placeOf(doc: Text, { line, column }: ProfileIssue): { readonly from: number; readonly to: number } {
  const found = doc.line(Math.min(doc.lines, Math.max(1, line ?? 1)));
  const from = Math.min(found.to, found.from + Math.max(0, (column ?? 1) - 1));
  const rest = /^\S+/.exec(found.text.slice(from - found.from))?.[0] ?? '';
  return { from, to: from + rest.length };
}

const diagnosticOf = (doc: Text, issue: ProfileIssue): Diagnostic => ({
  ...placeOf(doc, issue),
  severity: issue.severity,
  message: issue.message,
});

/** On a phone the lines scroll sideways: wrapped, a comment would be a column of single words. */
const layoutOf = (isNarrow: boolean): Extension => (isNarrow ? [] : [lineNumbers(), EditorView.lineWrapping]);

/**
 * The YAML editor. It is in a shadow root, where the library's styles are adopted sheets, which the panel's CSP
 * allows.
 */
export class SconceYaml extends HTMLElement {
  #view: EditorView | undefined;
  #extensions: readonly Extension[] = [];
  readonly #narrow = window.matchMedia('(max-width: 719px)');
  readonly #layout = new Compartment();
  /** Schema for completion; null offers nothing. */
  schema: SchemaNode | null = null;

  connectedCallback(): void {
    if (this.#view !== undefined) return;
    const root = this.attachShadow({ mode: 'open' });
    this.#extensions = [
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      closeBrackets(),
      EditorState.tabSize.of(2),
      indentUnit.of('  '),
      yaml(),
      syntaxHighlighting(highlight),
      // Tab is not bound: it leaves the editor.
      keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      autocompletion({ override: [completions(() => this.schema)], icons: false }),
      lintGutter(),
      editorTheme,
      EditorView.contentAttributes.of({
        'aria-label': this.getAttribute('label') ?? '',
        spellcheck: 'false',
        tabindex: '0',
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.dispatchEvent(new Event('yaml-input', { bubbles: true }));
      }),
    ];
    this.#view = new EditorView({ parent: root, root, state: this.#stateOf('') });
    this.#narrow.addEventListener('change', () =>
      this.#view?.dispatch({ effects: this.#layout.reconfigure(layoutOf(this.#narrow.matches)) }),
    );
  }

  #stateOf(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [this.#layout.of(layoutOf(this.#narrow.matches)), ...this.#extensions],
    });
  }

  get value(): string {
    return this.#view?.state.doc.toString() ?? '';
  }

  /** Undo ends at a loaded text: earlier text belongs to another draft. */
  set value(text: string) {
    const view = this.#view;
    if (view === undefined || view.state.doc.toString() === text) return;
    view.setState(this.#stateOf(text));
    view.dispatch({ effects: EditorView.scrollIntoView(0) });
  }

  /** Marks errors at their line and column. */
  showIssues(issues: readonly ProfileIssue[]): void {
    const view = this.#view;
    if (view === undefined) return;
    const diagnostics = issues.flatMap((issue) => (issue.line === null ? [] : [diagnosticOf(view.state.doc, issue)]));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }

  /** Moves the cursor to a line and column, both from 1. */
  goTo(line: number, column: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const { from } = placeOf(view.state.doc, { severity: 'error', path: '', line, column, reason: '', message: '' });
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.focus();
  }

  override focus(): void {
    this.#view?.focus();
  }
}
