// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// A file that is being written.
protocol UnfinishedFile: AnyObject, Sendable {
  /// Completes the file; called when the process exits, perhaps while other threads run.
  func completeAtExit()
}

/// The files that the program has not closed; they are completed when the process exits.
///
/// A global variable of a script is never freed, so its file is not closed by a `deinit`.
enum UnfinishedFiles {
  private static let files = Mutex<[ObjectIdentifier: any UnfinishedFile]>([:])

  private static let registration: Void = {
    atexit {
      for file in UnfinishedFiles.files.withLock({ Array($0.values) }) { file.completeAtExit() }
    }
  }()

  static func insert(_ file: any UnfinishedFile) {
    _ = registration
    files.withLock { $0[ObjectIdentifier(file)] = file }
  }

  static func remove(_ file: any UnfinishedFile) {
    files.withLock { $0[ObjectIdentifier(file)] = nil }
  }
}
