import { EditorView } from '@codemirror/view';

const edge = '1px solid var(--line)';

/** The editor in the colours of the pages: tokens reach into its shadow root, the pages' rules do not. */
export const editorTheme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '3px solid var(--accent-strong)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '14px',
    lineHeight: '1.6',
    minHeight: '220px',
    maxHeight: '65vh',
    overflow: 'auto',
  },
  '.cm-content': { padding: 'var(--s2) 0', caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none', borderRight: edge },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--accent-soft)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-gutter-lint': { width: '22px' },
  '.cm-lint-marker': { width: '16px', height: '16px', content: 'normal', position: 'relative' },
  '.cm-lint-marker-error, .cm-lint-marker-warning': { content: 'normal' },
  '.cm-lint-marker-error::before, .cm-lint-marker-warning::before': {
    content: '"!"',
    display: 'block',
    width: '16px',
    height: '16px',
    borderRadius: '50%',
    textAlign: 'center',
    font: '700 12px/16px var(--font)',
    backgroundColor: 'var(--accent-strong)',
    color: 'var(--surface)',
  },
  '.cm-lint-marker-warning::before': { content: '"?"', backgroundColor: 'var(--edge)' },
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--accent-strong)' },
  '.cm-lintRange-warning': { textDecoration: 'underline dotted var(--muted)' },
  '.cm-lintPoint::after': { borderBottomColor: 'var(--accent-strong)' },
  '.cm-tooltip': {
    border: '1px solid var(--edge)',
    borderRadius: 'var(--s2)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-completionInfo': { maxWidth: '320px', padding: 'var(--s2) var(--s3)', font: '14px/1.5 var(--font)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '14px', maxHeight: '40vh' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '6px var(--s3)', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': {
    padding: 'var(--s2) var(--s3)',
    font: '14px/1.5 var(--font)',
    borderLeft: '4px solid var(--accent-strong)',
  },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--edge)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '@media (pointer: coarse)': {
    '.cm-scroller': { fontSize: '16px' },
    // Completions must be large enough for a finger.
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '12px var(--s3)' },
  },
});
