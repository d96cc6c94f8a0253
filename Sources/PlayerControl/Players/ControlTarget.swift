// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// What can be led: by keys, signals, other programs and desktops, all of them through `execute`.
///
/// - Note: one thread.
package protocol ControlTarget: AnyObject {
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

  /// How long before its instant a command must be given to take effect just at it; nil for one that
  /// takes effect when it is done.
  func lead(of command: PlayCommand) -> Duration?

  /// Does a command that it takes.
  ///
  /// - Parameters:
  ///   - command: what is to be done.
  ///   - time: when it is to be heard; nil for as soon as can be. It counts where `lead` says so.
  /// - Throws: why it cannot.
  func perform(_ command: PlayCommand, at time: HostTime?) throws
}

extension ControlTarget {
  package static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? false
  }

  package func lead(of command: PlayCommand) -> Duration? { nil }

  /// Does what is asked for, at an instant or as soon as can be, and says what was done.
  ///
  /// - Throws: why it cannot be done, which is said too.
  package func execute(_ command: PlayCommand, at time: HostTime? = nil) throws {
    do {
      said = ""
      guard Self.takes(command) else { throw Self.refusal(of: command) }
      try perform(command, at: time)
    } catch {
      said = "\(error)"
      throw error
    }
  }

  /// Does what a key or a signal asks for; what cannot be done is said.
  package func act(_ command: PlayCommand) {
    do {
      try execute(command)
    } catch {
      // It is said.
    }
  }

  private static func refusal(of command: PlayCommand) -> ControlError {
    let list = verbs.map(\.rawValue).joined(separator: ", ")
    return ControlError(
      .usage,
      "\(command.word): cannot be asked of a \(kind.rawValue) (it takes \(list))")
  }
}
