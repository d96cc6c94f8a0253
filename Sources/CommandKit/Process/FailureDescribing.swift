// SPDX-License-Identifier: Apache-2.0

/// An error with a message for the user and an exit status.
package protocol FailureDescribing: Error, CustomStringConvertible {
  var exitStatus: ExitStatus { get }
  /// True if the cause is a missing part of the machine, which `downbeat doctor` examines; false by
  /// default.
  var concernsMachine: Bool { get }
  /// The options with wrong values, as on the command line, such as `--from`; empty by default.
  var options: [String] { get }
}

extension FailureDescribing {
  package var concernsMachine: Bool { false }
  package var options: [String] { [] }

  /// The message that is printed when the command ends.
  package var sentence: String {
    concernsMachine ? "\(self); for help run downbeat doctor" : "\(self)"
  }
}

/// An error of the command: an exit status and a message.
package struct Failure: FailureDescribing {
  package let exitStatus: ExitStatus
  package let description: String
  package let options: [String]
  package let concernsMachine: Bool

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - exitStatus: The exit status of the command.
  ///   - description: The message for the user.
  ///   - options: The options with wrong values, such as `--from`. If the configuration set the
  ///     value of one, the error is reported for that setting.
  ///   - concernsMachine: True if `downbeat doctor` can give more information.
  package init(
    _ exitStatus: ExitStatus, _ description: String, options: [String] = [],
    concernsMachine: Bool = false
  ) {
    self.exitStatus = exitStatus
    self.description = description
    self.options = options
    self.concernsMachine = concernsMachine
  }
}
