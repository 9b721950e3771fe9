import { expect, test } from 'vitest'
import { createQuestions } from './questions.ts'

function asked() {
  const shown: (string | undefined)[] = []
  return { shown, questions: createQuestions((action) => shown.push(action)) }
}

const never = new AbortController().signal

test('questions come one at a time, in order', async () => {
  const { shown, questions } = asked()
  const first = questions.ask('a', never)
  const second = questions.ask('b', never)
  questions.answer(true)
  questions.answer(false)
  questions.answer(true)
  expect({ answers: await Promise.all([first, second]), shown }).toEqual({
    answers: [true, false],
    shown: ['a', 'b', undefined],
  })
})

test('an abort answers its own question with no, also one that still waits', async () => {
  const { shown, questions } = asked()
  const abort = new AbortController()
  const first = questions.ask('a', never)
  const second = questions.ask('b', abort.signal)
  abort.abort()
  questions.answer(true)
  expect({
    answers: await Promise.all([first, second, questions.ask('c', abort.signal)]),
    shown,
  }).toEqual({ answers: [true, false, false], shown: ['a', undefined] })
})

test('closing answers everything with no, also what comes later', async () => {
  const { shown, questions } = asked()
  const open = [questions.ask('a', never), questions.ask('b', never)]
  questions.close()
  expect({ answers: await Promise.all([...open, questions.ask('c', never)]), shown }).toEqual({
    answers: [false, false, false],
    shown: ['a', 'b', undefined],
  })
})
