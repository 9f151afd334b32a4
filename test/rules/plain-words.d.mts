/** Each word with a plainer one in a text's comments, or anywhere in a README, as `line: word (what to write)`. */
export declare function strangeWords(file: string, text: string): readonly string[];
/** Doc comments of up to four words that only repeat the name that they describe, as `line: name`. */
export declare function echoedNames(text: string): readonly string[];
