// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import MusicSequences

/// Creates a MIDI file from a list of events.
struct EventImport {
  let list: String
  let output: String
  let overwrite: Bool

  func run() throws {
    let target = try OutputFile(named: output, overwrite: overwrite)
    let source = try InputFile(named: list)
    let bytes = try Self.file(from: source)
    try target.write(bytes)
    guard JSONReport.isOn else { return }
    let file = try SMFReader(keepsSource: false).read(bytes)
    try WrittenFile.song(output, from: source.name, file, losses: []).tell()
  }

  private static func file(from source: InputFile) throws(Failure) -> [UInt8] {
    do {
      return try JSONListReader.accepts(source.bytes)
        ? JSONListReader.file(from: source.bytes) : CSVReader.file(from: source.bytes)
    } catch {
      throw Failure(.badData, "\(source.name): \(error)")
    }
  }
}
