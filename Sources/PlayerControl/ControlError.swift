// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A command that a player cannot perform, or a connection that cannot be made.
public struct ControlError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The kind of failure.
  public enum Kind: Sendable {
    /// The command or a value in it is not known.
    case usage
    /// The player refused the command.
    case refused
    /// The player or device is not there.
    case noDevice
    /// The socket or file cannot be created.
    case noOutput
    /// The right to it is missing.
    case noPermission
    /// The data is damaged.
    case badData
    /// Reading or writing failed.
    case ioError

    /// This kind, or `noPermission` for an error number that means it.
    package func unlessDenied(_ code: Int32) -> Kind {
      code == EACCES || code == EPERM ? .noPermission : self
    }
  }

  /// The kind of failure, which gives the exit status.
  public let kind: Kind
  /// The sentence for a person: the object, what is wrong, and what to do.
  public let description: String

  /// Creates an error.
  public init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
