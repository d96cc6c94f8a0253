// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SequencePlayback
internal import SongTools
internal import SoundTools

/// The file of a recording.
///
/// After each save, it is a complete file.
struct RecordedFile {
  private var file: OutputFile
  private var path: String
  private let names: [UInt16: String]
  private let grid: QuantizeGrid?
  private let isQuiet: Bool
  private var savedCount = 0

  init(
    file: OutputFile, path: String, names: [UInt16: String], grid: QuantizeGrid?, isQuiet: Bool
  ) {
    self.file = file
    self.path = path
    self.names = names
    self.grid = grid
    self.isQuiet = isQuiet
  }

  /// Saves the new events, so that a crash loses little.
  ///
  /// Does nothing without new events.
  mutating func saveMeanwhile(_ recorder: Recorder, until end: ReferenceTime) throws {
    guard path != "-", recorder.count > savedCount else { return }
    try write(recorder, until: end)
    savedCount = recorder.count
  }

  /// Saves the whole recording, and reports it.
  mutating func save(_ recorder: Recorder, until end: ReferenceTime) throws {
    let sequence = try write(recorder, until: end)
    let losses = try SMFWriter().losses(of: sequence)
    if JSONReport.isOn {
      JSONReport.count(recorder.count)
      try WrittenFile.song(path, from: nil, SequenceFile([sequence]), losses: losses).tell()
    }
    guard !isQuiet else { return }
    let start = recorder.startTime ?? end
    let milliseconds = max(0, end.nanoseconds(since: start)) / 1_000_000
    let length = Ratio(milliseconds, over: 1000).decimal(3)
    Terminal.say("downbeat: \(file.name): \(recorder.count) events in \(length) s")
    SaveReport(name: file.name, losses: losses).tell()
  }

  @discardableResult
  private mutating func write(_ recorder: Recorder, until end: ReferenceTime) throws
    -> MusicSequence
  {
    let sequence = try recorder.sequence(until: end, names: names) { track in
      if let grid { try track.quantize(.zero..<Tick(.max), to: grid) }
    }
    do {
      let taken = try file.writeTakingFreeName(try SMFWriter().write(sequence))
      if taken != path {
        Terminal.report(
          "\(path): another program has created this file; the take is saved as \(taken)")
        path = taken
      }
      // From here on, the existing file belongs to this recording.
      if path != "-" { file = try OutputFile(named: path, overwrite: true) }
    } catch let error as SequenceError {
      throw Failure(.ioError, "\(file.name): \(error)")
    }
    return sequence
  }
}
