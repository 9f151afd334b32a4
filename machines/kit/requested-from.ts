/** Where a request came from: `panel` is software on the panel itself, such as the page on its own screen. */
export type RequestedFrom = 'panel' | 'network';
