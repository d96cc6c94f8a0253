// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JACKAudio
internal import JSONText
internal import PlayerControl
internal import PortTools
internal import Realtime
internal import SongTools
internal import SoundTools

/// The command `downbeat`, which parses the command line, runs a subcommand, and ends with its exit
/// status.
struct DownbeatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "downbeat",
    abstract: "Play, render and inspect MIDI files.",
    discussion: """
      EXAMPLES:
        downbeat song.mid                     play it on the default device
        downbeat render song.mid -o song.wav  render it to a sound file
        downbeat info song.mid                show its contents

      EXIT STATUS: 0 success, 1 refused (an edit that is not possible, a command
      that a player refuses, disconnecting ports that are not connected),
      3 done, but some inputs were repaired or failed, 64 usage error, 65 invalid data,
      66 input not found, 69 no device or library, 70 internal error, 73 output
      not writable, 74 failed while running, 77 no permission, 78 no soundfont or
      invalid setting. A signal ends the command; after Ctrl-C the shell
      reports exit status 130.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(name: "Play", subcommands: [Play.self, Render.self, Synth.self, Ctl.self]),
      CommandGroup(
        name: "Inspect",
        subcommands: [Info.self, Events.self, Check.self, Lyrics.self, Plot.self, Convert.self]),
      CommandGroup(name: "Edit", subcommands: [Edit.self, New.self]),
      CommandGroup(
        name: "Port",
        subcommands: [
          Ports.self, Monitor.self, Send.self, Record.self, Thru.self, Panic.self,
        ]),
      CommandGroup(
        name: "Clock", subcommands: [ClockCommand.self, TimecodeCommand.self, LTCCommand.self]),
      CommandGroup(
        name: "Sound",
        subcommands: [
          Sound.self, SoundFontCommand.self, Devices.self, Effects.self, LV2Command.self,
          Graph.self,
        ]),
      CommandGroup(name: "Setup", subcommands: [Doctor.self, ConfigCommand.self]),
    ],
    defaultSubcommand: Play.self)

  static func main() {
    StandardStream.reserve()
    ForcedEnd.guardExit()
    Guardian.serveIfAssigned()
    PluginTrial.needNoDisplay()
    JACKGuardian.serveIfAssigned()
    PluginTrial.serveIfAssigned()
    let (status, sentence) = perform(Array(ProcessArguments.all.dropFirst()))
    status.end(because: sentence)
  }

  /// Runs a command to its end.
  ///
  /// - Parameter typed: The words of the command line, without the name of the program.
  /// - Returns: The exit status, and the message of an error that was printed.
  static func perform(_ typed: [String]) -> (ExitStatus, String?) {
    LocaleText.keep(typed)
    do {
      let typed = try CommandWords.checked(typed, root: DownbeatCommand.self)
      if typed == ["--version"] {
        try Terminal.output(Version.text)
        return (.success, nil)
      }
      if let request = HelpRequest(typed) {
        try Terminal.output(HelpPage(request, columns: Terminal.columns).lines)
        return (.success, nil)
      }
      let words = try ConfiguredWords(
        CommandWords.parsed(typed), environment: Environment.variables)
      var command = try parsed(words)
      (command as? any ReportingCommand)?.openReport(root: DownbeatCommand.self)
      (command as? any SoundingCommand)?.askServers()
      do {
        try command.run()
      } catch let failure as Failure where failure.exitStatus == .usage {
        // The text of an option is checked when it is used.
        throw words.place(of: failure.options)?.failure(failure.description) ?? failure
      }
      return (.success, nil)
    } catch let status as ExitStatus {
      return (status, nil)
    } catch let failure as any FailureDescribing {
      Terminal.report(failure.sentence)
      return (failure.exitStatus, failure.sentence)
    } catch {
      return report(error, of: typed)
    }
  }

  /// Returns the command for the words.
  ///
  /// If a setting causes an error, the error names the setting.
  /// A setting for several commands is omitted if only others of them accept it.
  private static func parsed(_ words: ConfiguredWords) throws -> any ParsableCommand {
    do {
      return try parse(words.words)
    } catch {
      guard let culprit = words.culprit(isUnderstood: isUnderstood) else { throw error }
      if try culprit.isMeantForOthers() { return try parsed(words.without(culprit)) }
      throw culprit.failure(UsageSentence(message(for: error), typed: words.words).text)
    }
  }

  /// Parses words for the command that they name.
  ///
  /// Parsing for `downbeat` itself would prepare the options of all commands, which takes some
  /// milliseconds.
  private static func parse(_ words: [String]) throws -> any ParsableCommand {
    let path = CommandPath(words)
    guard path.isLeaf || path.names.isEmpty, !words.contains(where: concernsRoot) else {
      return try parseAsRoot(words)
    }
    let command = path.isLeaf ? path.type : Play.self
    return try command.parseAsRoot(Array(words.dropFirst(path.names.count)))
  }

  /// Returns true for a word that the parser accepts only for `downbeat` itself.
  private static func concernsRoot(_ word: String) -> Bool {
    ["help", "--version"].contains(word)
      || ["---", "--generate-completion-script", "--experimental-dump-help"]
        .contains(where: word.hasPrefix)
  }

  private static func isUnderstood(_ words: [String]) -> Bool {
    do {
      _ = try parse(words)
      return true
    } catch {
      return false
    }
  }

  private static func lines(of message: String) -> [String] {
    guard !message.isEmpty else { return [] }
    return message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Prints the parser's message: help, the version, or the error in the words.
  private static func report(_ error: any Error, of words: [String]) -> (ExitStatus, String?) {
    let status = ExitStatus(rawValue: exitCode(for: error).rawValue) ?? .internalError
    guard status == .success else {
      // The message repeats the words, which may contain control characters.
      let message = words.reduce(Self.message(for: error)) { message, word in
        let shown = Printable.text(word)
        return shown == word ? message : message.replacing(word, with: shown)
      }
      let sentence = UsageSentence(message, typed: words.map(Printable.text)).text
      Terminal.report(sentence)
      return (status, sentence)
    }
    do {
      let message = fullMessage(for: error, columns: Terminal.columns)
      guard message.hasPrefix("OVERVIEW: ") else {
        // This is the version, or a description or script for other programs.
        try Terminal.output(data: lines(of: message))
        return (status, nil)
      }
      let request = HelpRequest(among: words)
      try Terminal.output(HelpPage(request, columns: Terminal.columns).lines)
    } catch {
      // The error is reported at the end of the command.
    }
    return (status, nil)
  }
}
