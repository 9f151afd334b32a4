import en from './en.json' with { type: 'json' };

/** The strings that `t` reads. In the browser another file stands here: there the page brings those it needs. */
export const catalogue: typeof en = en;
