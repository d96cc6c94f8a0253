// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
package import MusicSequences

/// A song with its name and path.
package struct Song {
  package let name: String
  /// The path as it was typed; `-` for standard input.
  package let path: String
  package let file: SequenceFile
  /// The bytes that were read.
  package let bytes: [UInt8]

  /// Reads a song; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - strict: True to throw at the first defect.
  ///   - keepsSource: True to keep the bytes, so that it can be written again byte for byte.
  /// - Throws: `Failure` if the file does not exist or is not a song, with the kind of file.
  package init(path: String, strict: Bool = false, keepsSource: Bool = true) throws(Failure) {
    let source: InputFile
    do {
      source = try InputFile(named: path)
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
    (name, self.path, bytes) = (source.name, path, source.bytes)
    do {
      file = try SMFReader(strict: strict, keepsSource: keepsSource).read(bytes)
    } catch {
      throw Failure.notSong(name, path: path, bytes, error)
    }
  }

  /// The repairs, without remarks.
  package var defects: [Repair] { file.repairs.filter { !$0.isRemark } }

  /// The exit status of a command that was otherwise successful with this song.
  package var status: ExitStatus { file.isRepaired ? .partial : .success }
}
