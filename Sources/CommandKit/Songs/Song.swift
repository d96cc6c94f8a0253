// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
package import MusicSequences

/// A song that was read, and what it is called.
package struct Song {
  package let name: String
  package let file: SequenceFile
  /// The bytes that were read.
  package let bytes: [UInt8]

  /// Reads a song; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - strict: Whether the first defect is an error.
  ///   - keepsSource: Whether it may be written again byte for byte.
  /// - Throws: `Failure` where there is no such file, or it is no song; it says what it is.
  package init(path: String, strict: Bool = false, keepsSource: Bool = true) throws(Failure) {
    let source: InputFile
    do {
      source = try InputFile(path: path)
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
    (name, bytes) = (source.name, source.bytes)
    do {
      file = try SMFReader(strict: strict, keepsSource: keepsSource).read(bytes)
    } catch {
      throw Failure.notSong(name, bytes, error)
    }
  }

  /// What was put right, mere remarks left out.
  package var defects: [Repair] { file.repairs.filter { !$0.isRemark } }

  /// The status of a command that did all it was asked with this song.
  package var status: ExitStatus { file.isRepaired ? .partial : .success }
}
