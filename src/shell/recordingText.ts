/** Reads recordings in one file of text, compressed with gzip or not. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SimError, thrownText } from '../errors.ts'
import { UnreadableFile } from './config/home.ts'

/**
 * Resolves with the text of a file, which is decompressed if its first bytes are those of gzip. Rejects with
 * `UnreadableFile`, `FolderGiven` and `DamagedGzip`.
 */
export async function recordingText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EISDIR' ? new FolderGiven(path, error) : new UnreadableFile(path, error)
  })
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8')
  try {
    return (await promisify(gunzip)(bytes)).toString('utf8')
  } catch (error) {
    throw new DamagedGzip(path, error)
  }
}

/** A folder, which may hold a recording of a node, in place of a file. */
class FolderGiven extends SimError {
  constructor(path: string, cause: unknown) {
    super('INVALID_RECORDING', `${path}: expected a file, received a folder`, {
      hint: `If it is a recording of a node, play it back: chainstage run --playback ${path} -- PROGRAM.`,
      cause,
    })
  }
}

/** A recording is compressed with gzip and cannot be decompressed. */
export class DamagedGzip extends SimError {
  constructor(path: string, cause: unknown) {
    super('INVALID_RECORDING', `${path}: the file is compressed with gzip and damaged: ${thrownText(cause)}`, {
      hint: 'Use an undamaged copy. gzip -t checks one.',
      cause,
    })
  }
}
