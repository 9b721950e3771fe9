import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Whether a shell with that PATH would find `program`. */
export async function isOnPath(program: string, path: string): Promise<boolean> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  const candidates = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
  const found = await Promise.all(
    candidates.map((candidate) =>
      access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}
