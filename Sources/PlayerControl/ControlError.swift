// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason that a player cannot perform a command, or that a connection to a player fails.
public struct ControlError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The kind of failure.
  public enum Kind: Sendable {
    /// The command, or a value in it, is not valid.
    case usage
    /// The player refused the command.
    case refused
    /// The player or device does not exist.
    case noDevice
    /// The socket or file cannot be created.
    case noOutput
    /// The user does not have the required permission.
    case noPermission
    /// The data is damaged.
    case badData
    /// Reading or writing failed.
    case ioError

    /// This kind, or `noPermission` if the `errno` value means that permission was denied.
    package func unlessDenied(_ code: Int32) -> Kind {
      code == EACCES || code == EPERM ? .noPermission : self
    }
  }

  /// The kind of failure, which determines the exit status.
  public let kind: Kind
  /// The error message: the object, the fault and the remedy.
  public let description: String

  /// Creates an error.
  public init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
