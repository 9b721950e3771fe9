/**
 * Runs two generators side by side and yields what either yields as it comes; each is resumed only after its event has
 * been taken, so that an event still stands before the act it announces. Gives back what both return. When one throws,
 * the other is ended first.
 */
export async function* both<E, A, B>(
  left: AsyncGenerator<E, A>,
  right: AsyncGenerator<E, B>,
): AsyncGenerator<E, readonly [A, B]> {
  type Turn =
    | { readonly side: 'left'; readonly step: IteratorResult<E, A> }
    | { readonly side: 'right'; readonly step: IteratorResult<E, B> }
  const advanceLeft = async (): Promise<Turn> => ({ side: 'left', step: await left.next() })
  const advanceRight = async (): Promise<Turn> => ({ side: 'right', step: await right.next() })
  let pendingLeft: Promise<Turn> | undefined = advanceLeft()
  let pendingRight: Promise<Turn> | undefined = advanceRight()
  let resultLeft: { value: A } | undefined
  let resultRight: { value: B } | undefined
  try {
    while (resultLeft === undefined || resultRight === undefined) {
      const turn: Turn = await Promise.race([pendingLeft, pendingRight].filter((turn) => turn !== undefined))
      if (turn.side === 'left') {
        if (turn.step.done) {
          resultLeft = { value: turn.step.value }
          pendingLeft = undefined
          continue
        }
        yield turn.step.value
        pendingLeft = advanceLeft()
      } else {
        if (turn.step.done) {
          resultRight = { value: turn.step.value }
          pendingRight = undefined
          continue
        }
        yield turn.step.value
        pendingRight = advanceRight()
      }
    }
    return [resultLeft.value, resultRight.value]
  } finally {
    const stillRunning = [pendingLeft && left, pendingRight && right].filter((side) => side !== undefined)
    await Promise.allSettled([
      pendingLeft,
      pendingRight,
      ...stillRunning.map((side) => side.return(undefined as never)),
    ])
  }
}
