declare module 'sdp-transform' {
  export interface Media {
    readonly type: string;
    readonly protocol: string;
    readonly payloads: string;
    readonly control: string;
    readonly rtp: readonly { readonly payload: number; readonly codec: string; readonly rate: number }[];
    readonly fmtp: readonly { readonly payload: number; readonly config: string }[];
  }
  export const parse: (text: string) => {
    readonly version: number;
    readonly name: string;
    readonly control: string;
    readonly invalid?: readonly unknown[];
    readonly media: readonly Media[];
  };
  export const parseParams: (text: string) => Readonly<Record<string, string | number>>;
}
