// SPDX-License-Identifier: Apache-2.0

/// An error that reads as a sentence and knows the status the process ends with.
package protocol FailureDescribing: Error, CustomStringConvertible {
  var exitStatus: ExitStatus { get }
  /// Whether something is missing on the machine that `downbeat doctor` looks at.
  var concernsMachine: Bool { get }
}

extension FailureDescribing {
  package var concernsMachine: Bool { false }

  /// The sentence that ends the command.
  package var sentence: String {
    concernsMachine ? "\(self); downbeat doctor says what to do" : "\(self)"
  }
}

/// A failure of the tool itself: a status and the sentence for it.
package struct Failure: FailureDescribing {
  package let exitStatus: ExitStatus
  package let description: String
  package let concernsMachine: Bool

  package init(_ exitStatus: ExitStatus, _ description: String, concernsMachine: Bool = false) {
    self.exitStatus = exitStatus
    self.description = description
    self.concernsMachine = concernsMachine
  }
}
