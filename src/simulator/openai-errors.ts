import type { JsonObject } from '../core/json.ts'

/** OpenAI's codes for the types of error that scenarios name; other names go through as they are. */
const CODES: Readonly<Record<string, string>> = {
  api_error: 'server_error',
  authentication_error: 'invalid_api_key',
  billing_error: 'insufficient_quota',
  not_found_error: 'model_not_found',
  overloaded_error: 'server_is_overloaded',
  rate_limit_error: 'rate_limit_exceeded',
}

const CODES_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  529: 'server_is_overloaded',
}

/** The body of an error response, the same in both APIs of OpenAI. */
export function openAiErrorBody(status: number, message: string, type: string | undefined): JsonObject {
  const code = type === undefined ? (CODES_BY_STATUS[status] ?? null) : openAiCode(type)
  const kind = status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { message, type: kind, param: null, code } }
}

export function openAiCode(type: string): string {
  return CODES[type] ?? type
}
