import { type EditFailure, type Failure, FailureError } from '../core/failure.ts'
import type { ToolCall } from '../core/tool.ts'

const REFUSED: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to change it',
  EPERM: 'there is no permission to change it',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'something of that name exists already',
  ENOENT: 'it is not there any more',
}
const TRANSIENT: Readonly<Record<string, string>> = {
  EBUSY: 'the file is in use',
  ETXTBSY: 'the file is being executed',
  EAGAIN: 'the system has no resources left for now',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

/** The failure behind an error that a call's check or execution threw, about the file at `path`; undefined for a defect. */
export function faultOf(error: unknown, call: ToolCall, path: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const refused = REFUSED[code]
  if (refused !== undefined)
    return { kind: 'edit.out-of-scope', callId: call.id, tool: call.name, path, reason: refused }
  const transient = TRANSIENT[code]
  return transient === undefined ? undefined : { kind: 'io.transient', reason: `${path}: ${transient}` }
}

/** The same for a check, before which nothing is tried: what the file system does not allow now is refused. */
export function refusalOf(error: unknown, call: ToolCall, path: string): EditFailure | undefined {
  const fault = faultOf(error, call, path)
  const reason = fault !== undefined && 'reason' in fault ? fault.reason : undefined
  return reason === undefined
    ? undefined
    : { kind: 'edit.out-of-scope', callId: call.id, tool: call.name, path, reason }
}
