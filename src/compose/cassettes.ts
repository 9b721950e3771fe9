import path from 'node:path'
import { EXIT } from '../core/outcome.ts'
import type { Model, Ports } from '../core/ports.ts'
import { UserError } from '../core/user-error.ts'
import { readCassette } from '../model/cassette-reader.ts'
import { createCassette } from '../model/cassette-writer.ts'
import { recording } from '../model/recording.ts'
import { replaying } from '../model/replaying.ts'
import { createRedactor } from '../runlog/redact.ts'

type Models = Ports['models']

/** The same change to the model of every role; roles that share a model still do. */
function forEach(models: Models, change: (model: Model) => Model): Models {
  const made = new Map<Model, Model>()
  const once = (model: Model): Model => {
    const changed = made.get(model) ?? change(model)
    made.set(model, changed)
    return changed
  }
  const { plan, edit, repair, escalate } = models
  const changed = { plan: once(plan), edit: once(edit), repair: once(repair) }
  return escalate === undefined ? changed : { ...changed, escalate: once(escalate) }
}

/** The models, every request and answer of theirs written to a new cassette. Throws a `UserError` where it can't be begun. */
export function recorded(
  models: Models,
  options: { readonly file: string; readonly version: string; readonly secrets: readonly string[] },
): { readonly models: Models; close(): string | undefined } {
  const { secrets, version } = options
  const file = path.resolve(options.file)
  const started = createCassette({ file, version, secrets, redact: createRedactor(secrets).value })
  if (!started.ok) throw new UserError(`--record: ${started.problem}`, EXIT.usage)
  const { cassette } = started
  return {
    models: forEach(models, (model) => recording(model, cassette)),
    close() {
      cassette.close()
      return cassette.problem
    },
  }
}

/** Models that answer from a cassette; `names` are those of the run, by role. Throws a `UserError` where it can't be read. */
export async function replayed(
  file: string,
  names: Readonly<Record<'plan' | 'edit' | 'repair', string>>,
): Promise<Models> {
  const reading = await readCassette(path.resolve(file), createRedactor([]).value)
  if (!reading.ok) throw new UserError(`--replay: ${reading.problem}`, EXIT.usage)
  const { cassette } = reading
  return {
    plan: replaying(cassette, names.plan),
    edit: replaying(cassette, names.edit),
    repair: replaying(cassette, names.repair),
  }
}
