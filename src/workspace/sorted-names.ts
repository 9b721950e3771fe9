/** Names in the order of their UTF-16 units, each once. */
export interface SortedNames {
  /** As they are now: what was given out doesn't change later. */
  values(): readonly string[]
  has(name: string): boolean
  add(name: string): void
  remove(name: string): void
}

/** `names` have to be sorted, each once. One change costs a copy of the list at most, and none where nobody asked for it between. */
export function createSortedNames(names: readonly string[]): SortedNames {
  let current = [...names]
  let isGivenOut = false
  /** The place of the name, or where it would be. */
  const placeOf = (name: string): number => {
    let low = 0
    let high = current.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((current[middle] as string) < name) low = middle + 1
      else high = middle
    }
    return low
  }
  const own = (): string[] => {
    if (isGivenOut) current = [...current]
    isGivenOut = false
    return current
  }
  return {
    values() {
      isGivenOut = true
      return current
    },
    has: (name) => current[placeOf(name)] === name,
    add(name) {
      const place = placeOf(name)
      if (current[place] !== name) own().splice(place, 0, name)
    },
    remove(name) {
      const place = placeOf(name)
      if (current[place] === name) own().splice(place, 1)
    },
  }
}
