// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Foundation

/// Completes the files at the end of the process that the program wrote and did not close.
enum FilesAtExit {
  /// Completes files from now on.
  static func begin() { _ = registration }

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
    }
  }()
}
