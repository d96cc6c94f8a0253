// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Foundation
internal import Synchronization

/// Completes the files at the end of the process that the program wrote and did not close.
///
/// A global variable of a script is never freed, so its file is not closed by a `deinit`.
package enum FilesAtExit {
  private static let others = Mutex<[ObjectIdentifier: any UnfinishedFile]>([:])

  /// Completes the files of handles from now on.
  static func begin() { _ = registration }

  /// Completes a file, which is kept until it is removed.
  package static func insert(_ file: any UnfinishedFile) {
    begin()
    others.withLock { $0[ObjectIdentifier(file)] = file }
  }

  /// Leaves a file alone from now on.
  package static func remove(_ file: any UnfinishedFile) {
    others.withLock { $0[ObjectIdentifier(file)] = nil }
  }

  private static let registration: Void = {
    atexit {
      // First, since one may write its last packets to an audio file of the program.
      for (_, file) in HandleTable.shared.all(ExtFileObject.self) where file.isWritten {
        file.closeAtExit()
      }
      for (_, file) in HandleTable.shared.all(AudioFileObject.self)
      where file.permissions != .readPermission {
        file.closeAtExit()
      }
      for file in FilesAtExit.others.withLock({ Array($0.values) }) { file.completeAtExit() }
    }
  }()
}
