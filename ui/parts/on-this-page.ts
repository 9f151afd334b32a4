/** A sentence that sends people to the settings, as it reads on that page itself. */
export const onThisPage = (sentence: string): string => sentence.replace(/ under Configure/g, '');
