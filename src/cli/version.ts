declare const GOATFIED_VERSION: string | undefined

/** Put in by the build; a run from the source has none. */
export const version: string = typeof GOATFIED_VERSION === 'string' ? GOATFIED_VERSION : '0.0.0-source'
