// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A player that can be controlled: by keys, signals, sockets, OSC and desktops.
///
/// `PlayControls` is the target for songs. Your own type can be controlled in the same way if it
/// conforms to this protocol: `ControlServer` performs the commands of other programs, and reports
/// `status` to these programs.
///
/// - Note: Called on one thread: the thread that updates the server.
public protocol ControlTarget: AnyObject {
  /// The kind of player.
  static var kind: PlayStatus.Kind { get }
  /// The commands that the target performs; other commands are refused with an error.
  static var verbs: [ControlVerb] { get }

  /// The current status.
  ///
  /// The server reads this property up to ten times per second, and for each property that a
  /// program requests.
  var status: PlayStatus { get }
  /// True after a command that ended this song or player: `quit`, `next`, `previous` or `go`.
  ///
  /// Commands that arrive later wait until the server is updated with the next target.
  var hasEnded: Bool { get }
  /// The result or the error of the last command, for the user; empty if the user can see the
  /// result without a message.
  var message: String { get set }

  /// Returns true if the target performs a command; by default if `verbs` contains the command's
  /// verb.
  static func takes(_ command: PlayCommand) -> Bool

  /// Returns how long before its audible effect a command must be performed; nil, the default, if
  /// the command takes effect when it is performed.
  func leadTime(of command: PlayCommand) -> Duration?

  /// Performs a command that the target accepts.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - time: The time at which the effect must be audible; nil for as soon as possible. The time
  ///     is always nil for commands without a `leadTime`.
  /// - Throws: An error, whose description is sent to the program that sent the command.
  func perform(_ command: PlayCommand, at time: HostTime?) throws
}

extension ControlTarget {
  /// Returns true if the target accepts a command; by default, if `verbs` contains its verb.
  public static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? false
  }

  /// Returns nil: by default commands take effect when they are performed.
  public func leadTime(of command: PlayCommand) -> Duration? { nil }

  /// Performs a command, and sets `message` to its result or its error.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - time: The time at which the effect must be audible; nil for as soon as possible.
  /// - Throws: `ControlError.Kind.usage` for a command that the target does not accept, or the
  ///   error of `perform`.
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

  /// Performs the command of a key or a signal; an error is only stored in `message`.
  package func act(_ command: PlayCommand) {
    do {
      try execute(command)
    } catch {
      // The error is in `message`.
    }
  }

  private static func refusal(of command: PlayCommand) -> ControlError {
    let list = verbs.map(\.rawValue).joined(separator: ", ")
    return ControlError(
      .usage,
      "\(command.word): not available for a \(kind.rawValue) (available: \(list))")
  }
}
