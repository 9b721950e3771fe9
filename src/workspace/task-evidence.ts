import type { PathIndex, Workspace } from '../core/ports.ts'
import { pathsIn } from './mentions.ts'

/** A workspace that tells `index` which files the task names, and where the names in it were found, once it is asked for the facts. */
export function tellingTask(workspace: Workspace, index: Pick<PathIndex, 'mentioned'>): Workspace {
  return {
    async facts(task) {
      index.mentioned(pathsIn(task), 'task')
      const facts = await workspace.facts(task)
      const places = facts.mentions.flatMap((mention) => mention.places)
      index.mentioned([...new Set(places.map((place) => place.replace(/:[\d,]+$/, '')))], 'search')
      return facts
    },
  }
}
