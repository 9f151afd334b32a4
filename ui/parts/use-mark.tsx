/** The mark that the panel draws on its screen while its camera is in use, beside words that say so. */
export const UseMark = () => <span class="use-mark" aria-hidden="true"></span>;
