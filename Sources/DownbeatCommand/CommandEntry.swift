// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit
internal import Downbeat
package import MusicSequences
internal import OpenSoundControl
internal import PlayerControl
internal import Realtime
internal import SessionBus
internal import SongTools

/// The entry points of the command: for the program, for tests and for fuzzing.
package enum CommandEntry {
  /// Runs the command line, and ends the process.
  package static func run() {
    PriorityService.use { thread, wanted in RealtimeKit()?.raise(thread: thread, to: wanted) }
    let isAlert = ProcessArguments.all.dropFirst().starts(with: ["sound", "alert"])
    (isAlert ? SoundRole.notification : .music).announce(icon: "downbeat")
    DownbeatCommand.main()
  }

  /// Runs a command in this process with the streams of a console.
  ///
  /// Several can run at the same time.
  ///
  /// - Parameters:
  ///   - words: The words of the command line, without the name of the program.
  ///   - console: The streams and variables of the command.
  /// - Returns: The exit status.
  package static func run(_ words: [String], on console: Console) -> Int32 {
    Console.$current.withValue(console) {
      let (status, sentence) = DownbeatCommand.perform(words)
      return status.conclude(because: sentence).rawValue
    }
  }

  /// The version of the command.
  package static var version: String { Version.text }

  /// Returns the script with which a shell completes command lines.
  ///
  /// - Parameter shell: The shell: `bash`, `zsh` or `fish`.
  /// - Returns: The script; empty for another shell.
  package static func completionScript(for shell: String) -> String {
    CompletionShell(rawValue: shell).map(DownbeatCommand.completionScript(for:)) ?? ""
  }

  /// Applies an operation in the form of `edit --do`.
  package static func edit(_ file: inout SequenceFile, _ operation: String) throws {
    let step = try EditStep(parsing: operation)
    try SongEditor(step: step, range: step.range ?? .everything, tracks: step.tracks).edit(&file)
  }

  /// Returns the MIDI file for a list of events in JSON Lines, as for `events --import`.
  package static func file(fromJSON list: [UInt8]) throws -> [UInt8] {
    try JSONListReader.file(from: list)
  }

  /// Returns the reason why a request to a player is not valid; nil if it is valid.
  package static func refusal(ofRequest line: [UInt8]) -> String? {
    do {
      _ = try ControlRequest(line)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Returns the reason why an OSC packet to a player is not valid; nil if it is valid.
  package static func refusal(ofDatagram bytes: [UInt8]) -> String? {
    do {
      return refusal(of: try OSCPacket(reading: bytes))
    } catch {
      return "\(error)"
    }
  }

  private static func refusal(of packet: OSCPacket) -> String? {
    switch packet {
    case .bundle(let bundle): return bundle.elements.lazy.compactMap(refusal).first
    case .message(let message):
      do {
        _ = try OSCWords.actions(of: message)
        return nil
      } catch {
        return error.description
      }
    }
  }

  /// Returns the lyrics of a file in all text formats of `lyrics`, line by line.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - encoding: The name of the encoding of the lyrics; nil to detect it.
  /// - Returns: The lines.
  /// - Throws: `Failure` if the time of a syllable is out of range, or if the encoding is unknown.
  package static func lyrics(of file: SequenceFile, encoding: String?) throws -> [String] {
    var decoder = TextDecoder(guessingFrom: file.sequences)
    if let encoding {
      guard let named = TextDecoder(named: encoding) else {
        throw Failure(.usage, "encoding \(encoding): unknown (iconv --list shows the names)")
      }
      decoder = named
    }
    let form = LyricForm(sheet: try LyricSheet(of: file, track: nil, decoder))
    return form.plain + form.lrc(syllables: true) + form.srt
  }
}
