// SPDX-License-Identifier: Apache-2.0

/// An error with a sentence for people and the exit status of the process.
package protocol FailureDescribing: Error, CustomStringConvertible {
  var exitStatus: ExitStatus { get }
  /// True if something is missing on the machine that `downbeat doctor` examines.
  var concernsMachine: Bool { get }
  /// The options whose values are wrong, as on a command line: `--from`; empty if none is.
  var options: [String] { get }
}

extension FailureDescribing {
  package var concernsMachine: Bool { false }
  package var options: [String] { [] }

  /// The sentence that ends the command.
  package var sentence: String {
    concernsMachine ? "\(self); for help run downbeat doctor" : "\(self)"
  }
}

/// A failure of the tool itself: a status and the sentence for it.
package struct Failure: FailureDescribing {
  package let exitStatus: ExitStatus
  package let description: String
  package let options: [String]
  package let concernsMachine: Bool

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - exitStatus: Status that the command ends with.
  ///   - description: Sentence for people.
  ///   - options: Options whose values are wrong, such as `--from`. If a setting gave the value of
  ///     one, the error is reported as that setting's.
  ///   - concernsMachine: True if `downbeat doctor` can show more.
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
