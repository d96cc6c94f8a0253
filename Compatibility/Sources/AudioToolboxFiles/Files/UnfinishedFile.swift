// SPDX-License-Identifier: Apache-2.0

/// A file that is being written, of a module above this one.
package protocol UnfinishedFile: AnyObject, Sendable {
  /// Completes the file; called when the process exits, perhaps while other threads run.
  func completeAtExit()
}
