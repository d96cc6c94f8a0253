// SPDX-License-Identifier: Apache-2.0

/// What can be led: by keys, signals, other programs and desktops, all of them through `obey`.
///
/// - Note: one thread.
protocol ControlTarget: AnyObject {
  /// What it is.
  static var kind: PlayStatus.Kind { get }
  /// What can be asked of it; what is left out is refused.
  static var verbs: [ControlVerb] { get }

  var status: PlayStatus { get }
  /// Whether it goes to another song, or ends: nothing more is done to this one.
  var hasMoved: Bool { get }
  /// What was done last, in words; empty where that is seen anyway.
  var said: String { get set }

  /// Whether it takes a command; `verbs` says so of those that have a word.
  static func takes(_ command: PlayCommand) -> Bool

  /// Does a command that it takes.
  ///
  /// - Throws: why it cannot.
  func perform(_ command: PlayCommand) throws
}

extension ControlTarget {
  static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? [.showHelp, .back].contains(command)
  }

  /// Does what is asked for, and says what was done.
  ///
  /// - Throws: why it cannot be done, which is said too.
  func obey(_ command: PlayCommand) throws {
    do {
      said = ""
      guard Self.takes(command) else { throw Self.refusal(of: command) }
      try perform(command)
    } catch {
      said = "\(error)"
      throw error
    }
  }

  /// Does what a key or a signal asks for; what cannot be done is said.
  func act(_ command: PlayCommand) {
    do {
      try obey(command)
    } catch {
      // It is said.
    }
  }

  /// Does what signals and other programs ask for; true where that was anything.
  func follow(_ signals: SignalWatch, _ server: ControlServer?) -> Bool {
    let wishes = signals.takeWishes()
    wishes.forEach(act)
    let isLed = server?.update(self) ?? false
    return isLed || !wishes.isEmpty
  }

  private static func refusal(of command: PlayCommand) -> Failure {
    let list = verbs.map(\.rawValue).joined(separator: ", ")
    return Failure(
      .usage,
      "\(command.word): cannot be asked of a \(kind.rawValue) (it takes \(list))")
  }
}
