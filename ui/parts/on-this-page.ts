/** A sentence of the panel as it reads on the page of settings itself, to which it sends people from elsewhere. */
export const onThisPage = (sentence: string): string => sentence.replace(/ under Configure/g, '');
