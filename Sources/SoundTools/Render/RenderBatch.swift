// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicalTime
internal import PlayerControl

/// The rendering of several songs to sound files.
struct RenderBatch {
  let options: Render
  let settings: SessionSettings
  let files: FileBatch

  /// Renders all songs and returns the common exit status.
  func run(_ tally: Tally) throws -> ExitStatus {
    try files.run(tally) { try render($0, threadCount: $1) }
  }

  /// Renders one song; nil after a signal.
  private func render(_ index: Int, threadCount: Int?) throws -> FileBatch.Done? {
    let (path, output) = (files.entries[index].path, files.outputs.path(at: index))
    let format =
      try options.stems == nil ? options.file.format(for: output) : options.file.stemFormat()
    try options.codec.check(format)
    let song = try options.reading.read(path)
    let sequence = try options.flags.sequence(of: song)
    options.reading.tellPorts(of: sequence, named: song.name)
    var part = try PlaybackPart(
      sequence, named: song.name, options.flags, in: options.sound.banks.bankMode)
    if options.length == nil { part.leaveEndlessLoop() }
    if options.stems == nil { try options.file.check(output) }
    try files.refuseItself(index)
    let job = try RenderJob(
      song: song, part: part,
      settings: options.sound.settings(settings, of: song, isQuiet: options.reading.quiet),
      format: format, output: output, options: options, signals: files.signals,
      threadCount: threadCount)
    return if let choice = options.stems { try job.writeStems(by: choice) } else {
      try job.writeMix()
    }
  }
}

extension SoundFileOptions {
  /// Returns the file format of stems.
  fileprivate func stemFormat() throws -> SoundFileFormat {
    try SoundFileFormat(format ?? .wav, bits)
  }
}
