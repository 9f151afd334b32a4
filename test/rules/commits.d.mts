export declare const faultOf: (subject: string) => string | null;
export declare const commitsIn: (
  folder: string,
) => readonly { readonly hash: string; readonly subject: string }[] | null;
