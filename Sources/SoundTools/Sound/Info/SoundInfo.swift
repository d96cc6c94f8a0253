// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import PlayerControl
internal import SoundStreaming

/// The command `downbeat sound info`, which shows the contents of sound files.
struct SoundInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the format, length, tags and loops of sound files.",
    discussion: """
      EXAMPLES:
        downbeat sound info kick.wav          format, rate, length, tags, loops
        downbeat sound info Album             all sound files in a folder
        downbeat sound info --json *.flac     one JSON document per line
        downbeat sound info --loudness *.m4a  measure loudness too (slower)
        downbeat sound info https://radio.example/live
                                              format and name of a station
      """)

  @Argument(
    help: "Sound files, folders, playlists and web addresses; - reads standard input.",
    completion: .sounds)
  var files: [String]

  @Flag(help: "Print one JSON document for each file.")
  var json = false

  @Flag(help: "Measure loudness (ITU-R BS.1770-4) and peaks.")
  var loudness = false

  func run() throws {
    let sounds = SongCollector(files, of: .sounds, takesAddresses: true)
    var tally = Tally()
    try sounds.forEachOmission { tally.add(try refuse($0.path, $0.failure)) }
    for sound in sounds.songs { tally.add(try show(sound)) }
    if tally.status != .success { throw tally.status }
  }

  private func show(_ report: AddressReport) throws(Failure) -> ExitStatus {
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
    return .success
  }

  private func refuse(_ path: String, _ failure: Failure) throws(Failure) -> ExitStatus {
    Terminal.report(failure.description)
    if json { try Terminal.output(SoundReport.refusal(of: path, failure.description)) }
    return failure.exitStatus
  }

  /// A sound that was opened.
  private enum Opened {
    /// A web address whose first bytes were enough to show its properties.
    case survey(AddressSurvey)
    /// A file, or a sound that was downloaded to a temporary file, with the owner of that file.
    case file(SoundFileReader, LoudnessFacts?, FetchedSound?)
  }

  private func show(_ entry: SongEntry) throws(Failure) -> ExitStatus {
    let opened: Opened?
    do {
      opened = try open(entry.path)
    } catch {
      let failure = error as? any FailureDescribing ?? Failure(.failure, "\(error)")
      return try refuse(entry.path, entry.failure(failure))
    }
    switch opened {
    case nil: return .success
    case .survey(let survey): return try show(AddressReport(survey))
    case .file(let reader, let measured, let owner):
      defer { withExtendedLifetime(owner) {} }
      return try show(reader, measured)
    }
  }

  private func open(_ path: String) throws -> Opened? {
    if AddressSource.isAddress(path), !loudness {
      switch try AddressSource(path).survey() {
      case nil: return nil
      case .survey(let survey): return .survey(survey)
      case .file(let sound):
        let reader = try SoundFileReader(descriptor: sound.descriptor, name: sound.name)
        reader.lookForEnd()
        return .file(reader, nil, sound)
      }
    }
    guard let (reader, owner) = try AddressSource(path).open() else { return nil }
    reader.lookForEnd()
    return .file(reader, loudness ? try LoudnessFacts(reader) : nil, owner)
  }

  private func show(
    _ reader: SoundFileReader, _ measured: LoudnessFacts?
  ) throws(Failure) -> ExitStatus {
    let report = SoundReport(reader, loudness: measured)
    if json { try Terminal.output(report.json) } else { try Terminal.output(report.lines) }
    guard let shortfall = reader.shortfall else { return .success }
    Terminal.report("\(reader.path): \(shortfall)")
    return .partial
  }
}
