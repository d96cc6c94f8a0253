// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A player that can be controlled: by keys, signals, sockets, OSC and desktops.
///
/// `PlayControls` is the one for songs. A program conforms a type to it to be controlled in the same
/// way: `ControlServer` performs the commands of other programs and reports `status`.
///
/// - Note: One thread, the one that updates the server.
public protocol ControlTarget: AnyObject {
  /// The kind of player.
  static var kind: PlayStatus.Kind { get }
  /// The commands that it performs; the others are refused with an error.
  static var verbs: [ControlVerb] { get }

  /// The present status. It is read up to ten times a second, and for each property that a program
  /// asks for.
  var status: PlayStatus { get }
  /// True once a command has ended this song or player: `quit`, `next`, `previous` or `go`.
  ///
  /// Later commands wait for the next target that the server is updated with.
  var hasEnded: Bool { get }
  /// The result or the error of the last command, for a person; empty if it is visible anyway.
  var message: String { get set }

  /// Returns true if it performs a command; by default if `verbs` has the command's verb.
  static func takes(_ command: PlayCommand) -> Bool

  /// Returns how long before its time a command must be performed to take effect at that time; nil,
  /// the default, if the command takes effect when it is performed.
  func leadTime(of command: PlayCommand) -> Duration?

  /// Performs a command that it takes.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - time: the time at which it is audible; nil for as soon as possible. It is given for commands
  ///     with a `leadTime`.
  /// - Throws: the reason why it cannot; its description is sent to the program.
  func perform(_ command: PlayCommand, at time: HostTime?) throws
}

extension ControlTarget {
  /// Returns true if `verbs` has the command's verb.
  public static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? false
  }

  /// Returns nil: commands take effect when they are performed.
  public func leadTime(of command: PlayCommand) -> Duration? { nil }

  /// Performs a command, and sets `message` to its result or its error.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - time: the time at which it is audible; nil for as soon as possible.
  /// - Throws: `ControlError.Kind.usage` for a command that it does not take, or the error of
  ///   `perform`.
  public func execute(_ command: PlayCommand, at time: HostTime? = nil) throws {
    do {
      message = ""
      guard Self.takes(command) else { throw Self.refusal(of: command) }
      try perform(command, at: time)
    } catch {
      message = "\(error)"
      throw error
    }
  }

  /// Performs the command of a key or a signal; an error is only in `message`.
  package func act(_ command: PlayCommand) {
    do {
      try execute(command)
    } catch {
      // The message has the error.
    }
  }

  private static func refusal(of command: PlayCommand) -> ControlError {
    let list = verbs.map(\.rawValue).joined(separator: ", ")
    return ControlError(
      .usage,
      "\(command.word): not available for a \(kind.rawValue) (available: \(list))")
  }
}
