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

/// The command, for the program that it is; and what it makes of input, for what attacks it.
package enum CommandEntry {
  /// Does what the words of the command line ask for, and ends the process.
  package static func run() {
    PriorityService.use { thread, wanted in RealtimeKit()?.raise(thread: thread, to: wanted) }
    let isAlert = ProcessArguments.all.dropFirst().starts(with: ["sound", "alert"])
    (isAlert ? SoundRole.notification : .music).announce(icon: "downbeat")
    DownbeatCommand.main()
  }

  /// Runs a command in this process, with the streams of a console; several may run at once.
  ///
  /// - Parameters:
  ///   - words: the words of the command line, without the program's name.
  ///   - console: its streams and variables.
  /// - Returns: the exit status.
  package static func run(_ words: [String], on console: Console) -> Int32 {
    Console.$current.withValue(console) {
      let (status, sentence) = DownbeatCommand.perform(words)
      return status.conclude(because: sentence).rawValue
    }
  }

  /// The version of the command.
  package static var version: String { Version.text }

  /// The script with which a shell completes the command's words.
  ///
  /// - Parameter shell: bash, zsh or fish.
  /// - Returns: the script; empty for another shell.
  package static func completionScript(for shell: String) -> String {
    CompletionShell(rawValue: shell).map(DownbeatCommand.completionScript(for:)) ?? ""
  }

  /// Does an operation as `edit --do` reads it.
  package static func edit(_ file: inout SequenceFile, _ operation: String) throws {
    let step = try EditStep(parsing: operation)
    try SongEditor(step: step, range: step.range ?? .everything, tracks: step.tracks).edit(&file)
  }

  /// The file that a list of events in JSON Lines describes, as `events --from` reads it.
  package static func file(fromJSON list: [UInt8]) throws -> [UInt8] {
    try JSONListReader.file(from: list)
  }

  /// Why a line that a program sends to a player is refused; nil where it is understood.
  package static func refusal(ofRequest line: [UInt8]) -> String? {
    do {
      _ = try ControlRequest(line)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Why what a player is sent by Open Sound Control is refused; nil where it is understood.
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

  /// The words of a file in every form that `lyrics` writes, line by line.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - encoding: the name of the words' encoding; nil guesses it.
  /// - Returns: the lines.
  /// - Throws: `Failure` where a word lies past the end of time, or the encoding is unknown.
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
