/** Questions to the person, one at a time in the order in which they were asked. */
export interface Questions {
  /** True only for a yes. False when `signal` aborts or the screen is closed first. Never rejects. */
  ask(action: string, signal: AbortSignal): Promise<boolean>
  /** Answers the question on the screen; nothing when there is none. */
  answer(allowed: boolean): void
  /** Answers all with no, also those still to come. */
  close(): void
}

interface Question {
  readonly action: string
  readonly settle: (allowed: boolean) => void
}

/** `show` is called with the action when its question comes up, and with nothing when none is left. */
export function createQuestions(show: (action: string | undefined) => void): Questions {
  let queue: readonly Question[] = []
  let closed = false

  function remove(question: Question): void {
    const first = queue[0]
    queue = queue.filter((other) => other !== question)
    if (first === question) show(queue[0]?.action)
  }

  return {
    ask(action, signal) {
      if (closed || signal.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const abort = () => question.settle(false)
        const question: Question = {
          action,
          settle(allowed) {
            signal.removeEventListener('abort', abort)
            remove(question)
            resolve(allowed)
          },
        }
        signal.addEventListener('abort', abort, { once: true })
        queue = [...queue, question]
        if (queue.length === 1) show(action)
      })
    },
    answer(allowed) {
      queue[0]?.settle(allowed)
    },
    close() {
      closed = true
      for (const question of queue) question.settle(false)
    },
  }
}
