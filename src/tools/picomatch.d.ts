declare module 'picomatch' {
  /** Of picomatch's interface, what is used here: compiles a glob to a predicate on paths with `/`. */
  export default function picomatch(glob: string, options?: { readonly dot?: boolean }): (path: string) => boolean
}
