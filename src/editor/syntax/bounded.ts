import vm from 'node:vm'

let made: { readonly context: vm.Context; readonly script: vm.Script } | undefined

/**
 * What `task` returns; throws what it throws, and `ERR_SCRIPT_EXECUTION_TIMEOUT` when it takes longer than `ms`: it is ended
 * wherever it is, so nothing that it was changing may be used afterwards. `task` must be synchronous.
 */
export function bounded<T>(task: () => T, ms: number): T {
  made ??= { context: vm.createContext({ task: undefined }), script: new vm.Script('task()') }
  const { context, script } = made
  let result: { readonly value: T } | undefined
  context.task = () => {
    result = { value: task() }
  }
  try {
    script.runInContext(context, { timeout: ms })
  } finally {
    context.task = undefined
  }
  if (result === undefined) throw new Error('the task has not ended')
  return result.value
}
